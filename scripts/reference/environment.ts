/** Every environment variable that the server or the command line reads. A test compares it with the source. */
export const environmentVariables: Readonly<Record<string, string>> = {
  TOOLCRIB_DATA: 'The data folder, where `--data` does not name one; `.toolcrib` by default',
  TOOLCRIB_DATABASE: 'Address of a PostgreSQL database, instead of the embedded store',
  TOOLCRIB_DATABASE_FILE: 'A file that holds this address',
  TOOLCRIB_DATABASE_PASSWORD_FILE:
    'A file with the password of the database; it is put into the address',
  TOOLCRIB_PGLITE:
    '`plain`: the embedded database sends queries through PGlite’s own reader, slower, to find out whether a fault comes from ours',
  TOOLCRIB_DEBUG: 'Set to anything: commands print the stack trace of an error',
  TOOLCRIB_KEY: 'The API key that commands use with `--url` or `TOOLCRIB_URL`',
  TOOLCRIB_LOG:
    'What the server logs, separated by commas: `text` or `json`, a level (`error`, `warn`, `info`, `debug`), `access`',
  TOOLCRIB_MASTER_KEY:
    'The keys that seal secrets; by default the file `master.key` in the data folder',
  TOOLCRIB_MASTER_KEY_FILE: 'A file that holds these keys',
  TOOLCRIB_URL: 'The server that commands talk to, where `--url` does not name one',
  NO_COLOR: 'Set to anything: no colours in the terminal',
}
