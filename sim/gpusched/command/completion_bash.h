/* completion_bash - the functions of the script for bash, which come after its tables. */

#ifndef COMPLETION_BASH_H
#define COMPLETION_BASH_H

extern const char completion_bash[];

#endif
