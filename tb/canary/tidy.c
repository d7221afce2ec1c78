/* clang-tidy must find: a value that is never read. */
int canary(int value);
int canary(int value)
{
    int sum = value;

    sum = 2 * value;
    sum = 3 * value;
    return value;
}
