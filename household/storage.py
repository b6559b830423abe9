"""Static files under names that carry their hash, so that browsers may keep them for good."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class PageFiles(CompressedManifestStaticFilesStorage):
    """Hashed and compressed static files; a name missing from the manifest is served as it is."""

    manifest_strict = False

    def stored_name(self, name: str) -> str:
        """The hashed name, or the name itself where nothing was collected under it."""
        try:
            return str(super().stored_name(name))
        except ValueError:
            return name
