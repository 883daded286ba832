"""Run by alembic: the migrations go through the connection, and the transaction, that ``upgrade`` opened."""

from alembic import context
from sqlalchemy.sql.schema import SchemaItem

from astroresearch.store.tables import metadata


def ours(item: SchemaItem, name: str | None, kind: str, reflected: bool, compared: SchemaItem | None) -> bool:
    """Leave alone what others keep in the same database, such as the tables of the background queue."""
    return kind != "table" or name in metadata.tables


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    include_object=ours,
)
with context.begin_transaction():
    context.run_migrations()
