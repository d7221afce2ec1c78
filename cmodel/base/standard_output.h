/* standard_output - what a program prints is on its way when it ends, or it ends with 2. */

#ifndef STANDARD_OUTPUT_H
#define STANDARD_OUTPUT_H

/*
 * To be called first in main. At exit, with whatever status, all that was printed must have
 * been written; otherwise a sentence that begins with the program's name goes to stderr, and
 * the exit status is 2. If the reader of a pipe has gone, the program ends without a word by
 * SIGPIPE. A file of more than the allowed size is an error like a full disk, not a signal.
 */
void standard_output_check(const char *program);

#endif
