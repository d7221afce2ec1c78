/* toy LIBRARY SEED - the library of toy.v beside what its text says, with random inputs. */

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lockstep/rtl.h"

enum { CYCLES = 100000 };
enum { TURN, CHOICE, COUNTS, PORTS };

static uint32_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

static uint64_t draw_choice(uint64_t *state)
{
    const uint64_t high = draw(state);

    return high << 33 ^ (uint64_t)draw(state) << 8 ^ draw(state);
}

/* The counts of all elements after a cycle in which they get these bits. */
static uint64_t count_on(uint64_t counts, uint64_t bits)
{
    uint64_t after = 0u;

    for (uint32_t k = 0u; k < 64u; k += 4u) {
        const uint32_t ones = (uint32_t)__builtin_popcountll(bits >> k & 15u);
        after |= ((counts >> k & 15u) + ones & 15u) << k;
    }
    return after;
}

/* Of the choices many are those of the last cycle turned over: with a register that has turned,
 * too, each element gets what it got, and has got something else between. */
static int run(const struct rtl_ops *ops, uint64_t seed)
{
    static const char *const names[PORTS] = { "turn_i", "choice_i", "counts_o" };
    struct rtl_net nets[PORTS];
    void *const rtl = ops->open(names, nets, PORTS);
    uint64_t turned = 0u, counts = 0u, choice = 0u, last = 0u;
    uint32_t back = 0u;

    for (uint32_t i = 0u; i < CYCLES; i++) {
        const uint32_t turn = draw(&seed) & 1u;
        choice = draw(&seed) % 4u == 0u ? draw_choice(&seed)
                 : draw(&seed) & 1u     ? ~choice
                                        : choice;
        memcpy(nets[TURN].at, &(uint8_t){ (uint8_t)turn }, 1u);
        memcpy(nets[CHOICE].at, &choice, sizeof choice);
        ops->eval(rtl, i == 0u);
        uint64_t shown;
        memcpy(&shown, nets[COUNTS].at, sizeof shown);
        if (i > 0u && shown != counts) {
            printf("cycle %" PRIu32 ": %016" PRIx64 ", not %016" PRIx64 "\n", i, shown, counts);
            return EXIT_FAILURE;
        }
        const uint64_t bits = choice ^ turned;
        back += i > 0u && bits == last && turn != 0u;
        last = bits;
        counts = i == 0u ? 0u : count_on(counts, bits);
        turned = i == 0u || turn == 0u ? turned : ~turned;
        ops->tick(rtl);
    }
    ops->close(rtl);
    printf("checked: cycles=%d back=%" PRIu32 "\n", CYCLES, back);
    return back == 0u ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    void *const library = argc == 3 ? dlopen(argv[1], RTLD_NOW) : NULL;
    const struct rtl_ops *const ops = library == NULL ? NULL : dlsym(library, "rtl_ops");

    if (ops == NULL) {
        fprintf(stderr, "toy LIBRARY SEED: %s\n",
                library == NULL ? dlerror() : "no library of RTL");
        return 2;
    }
    return run(ops, strtoull(argv[2], NULL, 10));
}
