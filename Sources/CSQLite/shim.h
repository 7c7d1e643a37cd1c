// A setting of SQLite that Swift cannot call, because its function takes a variable number of arguments.
#include <sqlite3.h>

// Triggers in the database's file do not run on this connection; temporary ones do (SQLite 3.35 and later).
static inline int cairn_sqlite_disable_triggers(sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
}
