/*
 * workers - the threads that compare RTL beside a run.
 *
 * A worker takes records from the rings of shadows that nobody else takes from, some of one
 * ring at a time. When a ring is full and there are more rings than workers, the run's thread
 * takes from it as well, so that all processors have work as long as there is any. With a
 * worker for each ring it would only do what a worker is about to do, and that one would find
 * the ring taken whenever it has been woken. A worker sleeps when it finds no records, and the
 * run's thread sleeps when another takes from the ring that is full; both look a few times
 * before they do. Whoever goes to sleep says so first, and then looks once more; whoever has
 * moved a ring's end looks for sleepers after it. All of these are sequentially consistent, so
 * one of the two sees the other. Who leaves a shadow with records in it looks again before it
 * sleeps, but for the run's thread, which publishes more, or ends the run.
 */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lockstep/shadow/shadow_parts.h"

enum { LOOKS = 200 }; /* before it sleeps */

/* ---- Records, on any thread -------------------------------------------------------------- */

/* Only one thread at a time takes from a shadow. */
static bool claim(struct shadow *shadow)
{
    return !atomic_load(&shadow->claimed) && !atomic_exchange(&shadow->claimed, true);
}

/* The run's thread takes records, too. */
static bool helps(const struct shadows *all)
{
    return all->n_worker < all->n;
}

static void leave(struct shadow *shadow)
{
    struct shadows *const all = shadow->all;

    atomic_store(&shadow->claimed, false);
    if (atomic_load(&all->waiting) && (helps(all) || ring_roomy(&shadow->ring))) {
        pthread_mutex_lock(&all->mutex);
        pthread_cond_signal(&all->space);
        pthread_mutex_unlock(&all->mutex);
    }
}

/* Some of a ring, by who has claimed it. False if there was none. */
static bool take_some(struct shadow *shadow)
{
    const uint64_t ready = ring_ready(&shadow->ring);
    const uint64_t n = ready < RING_BATCH ? ready : RING_BATCH;

    for (uint64_t i = 0u; i < n; i++) {
        shadow_take(shadow, ring_at(&shadow->ring, i));
    }
    if (n != 0u) {
        ring_release(&shadow->ring, n);
    }
    return n != 0u;
}

static bool can_take(struct shadow *shadow)
{
    return ring_ready(&shadow->ring) != 0u && !atomic_load(&shadow->claimed);
}

/* The shadow after it, round and round. */
static struct shadow *next_of(struct shadow *shadow)
{
    return shadow->next != NULL ? shadow->next : shadow->all->first;
}

/* Some of the first ring from `first` on that has any; the shadow after it. NULL: there is
 * none. */
static struct shadow *take_one(struct shadow *first)
{
    struct shadow *s = first;

    do {
        if (can_take(s) && claim(s)) {
            (void)take_some(s);
            leave(s);
            return next_of(s);
        }
        s = next_of(s);
    } while (s != first);
    return NULL;
}

/* ---- The run's thread ------------------------------------------------------------------ */

void workers_publish(struct shadow *shadow)
{
    struct shadows *const all = shadow->all;

    ring_publish(&shadow->ring);
    if (atomic_load(&all->asleep) != 0u) {
        pthread_mutex_lock(&all->mutex);
        pthread_cond_signal(&all->work);
        pthread_mutex_unlock(&all->mutex);
    }
}

/* Another takes from the ring, or is about to, and says when it has. */
static void wait_for_other(struct shadow *shadow)
{
    struct shadows *const all = shadow->all;

    for (int i = 0; i < LOOKS; i++) {
        if (ring_place(&shadow->ring) != NULL) {
            return;
        }
    }
    pthread_mutex_lock(&all->mutex);
    atomic_store(&all->waiting, true);
    while (!ring_roomy(&shadow->ring) && (!helps(all) || atomic_load(&shadow->claimed))) {
        pthread_cond_wait(&all->space, &all->mutex);
    }
    atomic_store(&all->waiting, false);
    pthread_mutex_unlock(&all->mutex);
}

struct record *workers_place(struct shadow *shadow)
{
    void *place = ring_place(&shadow->ring);

    if (place == NULL) {
        workers_publish(shadow);
    }
    while (place == NULL) {
        if (!helps(shadow->all) || take_one(shadow) == NULL) {
            wait_for_other(shadow);
        }
        place = ring_place(&shadow->ring);
    }
    return place;
}

/* ---- A worker -------------------------------------------------------------------------- */

static bool has_work(const struct shadows *all)
{
    for (struct shadow *s = all->first; s != NULL; s = s->next) {
        if (can_take(s)) {
            return true;
        }
    }
    return false;
}

/* Until there is work, or the end. */
static void wait_for_work(struct shadows *all)
{
    for (int i = 0; i < LOOKS; i++) {
        if (has_work(all)) {
            return;
        }
    }
    pthread_mutex_lock(&all->mutex);
    atomic_fetch_add(&all->asleep, 1u);
    while (!has_work(all) && !atomic_load(&all->ending)) {
        pthread_cond_wait(&all->work, &all->mutex);
    }
    atomic_fetch_sub(&all->asleep, 1u);
    pthread_mutex_unlock(&all->mutex);
}

/* Nothing comes any more. Whoever leaves a shadow last has seen it here. */
static void finish_all(struct shadow *first)
{
    struct shadow *s = first;

    do {
        if (claim(s)) {
            while (take_some(s)) {
            }
            shadow_finish(s, s->all->end);
            leave(s);
        }
        s = next_of(s);
    } while (s != first);
}

static void *work(void *self)
{
    const struct worker *const worker = self;
    struct shadows *const all = worker->first->all;
    struct shadow *at = worker->first;

    while (!atomic_load(&all->ending)) {
        struct shadow *const after = take_one(at);
        if (after == NULL) {
            wait_for_work(all);
        } else {
            at = after;
        }
    }
    finish_all(worker->first);
    return NULL;
}

/* ---- Start and end --------------------------------------------------------------------- */

/* Of the processors, one is the run's. */
static uint32_t threads_wanted(const struct shadows *shadows)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t n = shadows->options.threads;

    if (n == 0u) {
        n = processors > 2 ? (uint32_t)processors - 1u : 1u;
    }
    return n < shadows->n ? n : shadows->n;
}

bool workers_start(struct shadows *shadows)
{
    sigset_t all;
    sigset_t before;
    struct shadow *first = shadows->first;

    shadows->n_worker = threads_wanted(shadows);
    shadows->workers = calloc(shadows->n_worker, sizeof *shadows->workers);
    bool good = shadows->workers != NULL;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are for the run's thread */
    for (uint32_t i = 0u; good && i < shadows->n_worker; i++) {
        struct worker *const worker = &shadows->workers[i];
        worker->first = first;
        first = next_of(first);
        good = pthread_create(&worker->thread, NULL, work, worker) == 0;
        worker->started = good;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!good) {
        fputs("no memory for the threads of the RTL\n", stderr);
    }
    return good;
}

void workers_end(struct shadows *shadows)
{
    for (struct shadow *s = shadows->first; s != NULL && s->aside; s = s->next) {
        ring_publish(&s->ring);
    }
    pthread_mutex_lock(&shadows->mutex);
    atomic_store(&shadows->ending, true);
    pthread_cond_broadcast(&shadows->work);
    pthread_mutex_unlock(&shadows->mutex);
    if (shadows->first != NULL && shadows->first->aside) {
        finish_all(shadows->first);
    }
    for (uint32_t i = 0u; shadows->workers != NULL && i < shadows->n_worker; i++) {
        if (shadows->workers[i].started) {
            pthread_join(shadows->workers[i].thread, NULL);
        }
    }
    free(shadows->workers);
    shadows->workers = NULL;
}
