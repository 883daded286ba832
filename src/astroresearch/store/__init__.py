"""The session store on SQLite and PostgreSQL: ``sessions.Store``; its values and errors alone are in ``rows``."""
