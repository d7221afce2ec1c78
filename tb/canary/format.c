/* clang-format must find: no form at all. */
int canary( int  value ) { return value ; }
