"""The whole site's rows in one file, and back again, from any engine into any other.

A backup holds every row of every table as one database snapshot showed it. It does not hold
SECRET_KEY (sessions signed with another one end), what waits in Redis (rows are the truth; sweeps
send it anew) or settings. It does hold passwords' hashes, addresses and keys: keep it like the
database itself.
"""

from config.backups.archive import Archive, BackupError, Table
from config.backups.restoring import restore
from config.backups.taking import take
from config.backups.verifying import verify

__all__ = ["Archive", "BackupError", "Table", "restore", "take", "verify"]
