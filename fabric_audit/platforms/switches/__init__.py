"""Switch operating systems; each folder's ``__init__`` declares its ``PLATFORM``."""
