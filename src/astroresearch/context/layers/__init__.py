"""One pure function a layer: ``(View, Rules) -> View``. A layer that changes nothing returns the very same view."""
