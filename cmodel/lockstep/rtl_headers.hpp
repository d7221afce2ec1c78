// The headers that each library of RTL needs, which do not depend on its unit. They are most of what the compiler reads,
// and are compiled once where many libraries are made (mk/lockstep.mk).
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "verilated.h"
#include "verilated_fst_c.h"
#include "verilated_syms.h"
