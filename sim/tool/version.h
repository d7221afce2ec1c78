/* version - of the programs, as --version prints it and host.json keeps it. */

#ifndef VERSION_H
#define VERSION_H

#define GPUSCHED_VERSION "0.1"

#endif
