/* Compilers must find: a variable of no use. */
int canary(void);
int canary(void)
{
    int unused;
    return 0;
}
