/* Does not compile alone. */
int canary(struct_of_another_header value);
