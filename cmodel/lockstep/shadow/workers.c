/*
 * workers - the threads that compare RTL beside a run.
 *
 * A worker takes records from the rings of its shadows, some of one ring at a time. It sleeps
 * when all are empty, and the run's thread sleeps when a ring is full; both look a few times
 * before they do. Whoever goes to sleep says so first, and then looks once more; whoever has
 * moved a ring's end looks for sleepers after it. All of these are sequentially consistent, so
 * one of the two sees the other.
 */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lockstep/shadow/shadow_parts.h"

enum { LOOKS = 200 }; /* before it sleeps */

/* ---- The run's thread ------------------------------------------------------------------ */

void workers_publish(struct shadow *shadow)
{
    struct worker *const worker = shadow->worker;

    ring_publish(&shadow->ring);
    if (atomic_load(&worker->asleep)) {
        pthread_mutex_lock(&worker->mutex);
        pthread_cond_signal(&worker->work);
        pthread_mutex_unlock(&worker->mutex);
    }
}

static void wait_for_space(struct shadow *shadow)
{
    struct shadows *const all = shadow->all;

    workers_publish(shadow);
    for (int i = 0; i < LOOKS; i++) {
        if (ring_place(&shadow->ring) != NULL) {
            return;
        }
    }
    pthread_mutex_lock(&all->mutex);
    atomic_store(&all->waiting, true);
    while (ring_place(&shadow->ring) == NULL) {
        pthread_cond_wait(&all->space, &all->mutex);
    }
    atomic_store(&all->waiting, false);
    pthread_mutex_unlock(&all->mutex);
}

struct record *workers_place(struct shadow *shadow)
{
    void *place = ring_place(&shadow->ring);

    if (place == NULL) {
        wait_for_space(shadow);
        place = ring_place(&shadow->ring);
    }
    return place;
}

/* ---- A worker -------------------------------------------------------------------------- */

static struct shadow *skip(struct shadow *shadow, uint32_t n)
{
    for (; shadow != NULL && n != 0u; n--) {
        shadow = shadow->next;
    }
    return shadow;
}

static struct shadow *first_of(const struct worker *worker)
{
    return skip(worker->all->first, worker->number);
}

static struct shadow *after(const struct worker *worker, struct shadow *shadow)
{
    return skip(shadow, worker->all->n_worker);
}

/* Some of a ring. False if there was none. */
static bool take_some(struct shadow *shadow)
{
    struct shadows *const all = shadow->all;
    const uint64_t ready = ring_ready(&shadow->ring);
    const uint64_t n = ready < RING_BATCH ? ready : RING_BATCH;

    for (uint64_t i = 0u; i < n; i++) {
        shadow_take(shadow, ring_at(&shadow->ring, i));
    }
    if (n != 0u) {
        ring_release(&shadow->ring, n);
        if (atomic_load(&all->waiting)) {
            pthread_mutex_lock(&all->mutex);
            pthread_cond_signal(&all->space);
            pthread_mutex_unlock(&all->mutex);
        }
    }
    return n != 0u;
}

static bool take_of_all(const struct worker *worker)
{
    bool any = false;

    for (struct shadow *s = first_of(worker); s != NULL; s = after(worker, s)) {
        any = take_some(s) || any;
    }
    return any;
}

static bool has_work(const struct worker *worker)
{
    for (struct shadow *s = first_of(worker); s != NULL; s = after(worker, s)) {
        if (ring_ready(&s->ring) != 0u) {
            return true;
        }
    }
    return false;
}

/* Until there is work, or the end. */
static void wait_for_work(struct worker *worker)
{
    for (int i = 0; i < LOOKS; i++) {
        if (has_work(worker)) {
            return;
        }
    }
    pthread_mutex_lock(&worker->mutex);
    atomic_store(&worker->asleep, true);
    while (!has_work(worker) && !atomic_load(&worker->all->ending)) {
        pthread_cond_wait(&worker->work, &worker->mutex);
    }
    atomic_store(&worker->asleep, false);
    pthread_mutex_unlock(&worker->mutex);
}

static void *work(void *self)
{
    struct worker *const worker = self;

    for (;;) {
        const bool ending = atomic_load(&worker->all->ending); /* before the last look */
        if (!take_of_all(worker)) {
            if (ending) {
                break;
            }
            wait_for_work(worker);
        }
    }
    for (struct shadow *s = first_of(worker); s != NULL; s = after(worker, s)) {
        shadow_finish(s, worker->all->end);
    }
    return NULL;
}

/* ---- Start and end --------------------------------------------------------------------- */

/* Of the processors, one is the run's; but a run waits for its RTL, too. */
static uint32_t threads_wanted(const struct shadows *shadows)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t n = shadows->options.threads;

    if (n == 0u) {
        n = processors > 1 ? (uint32_t)processors : 1u;
    }
    return n < shadows->n ? n : shadows->n;
}

bool workers_start(struct shadows *shadows)
{
    sigset_t all;
    sigset_t before;

    shadows->n_worker = threads_wanted(shadows);
    shadows->workers = calloc(shadows->n_worker, sizeof *shadows->workers);
    bool good = shadows->workers != NULL;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are for the run's thread */
    for (uint32_t i = 0u; good && i < shadows->n_worker; i++) {
        struct worker *const worker = &shadows->workers[i];
        worker->all = shadows;
        worker->number = i;
        pthread_mutex_init(&worker->mutex, NULL);
        pthread_cond_init(&worker->work, NULL);
        good = pthread_create(&worker->thread, NULL, work, worker) == 0;
        worker->started = good;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!good) {
        fputs("no memory for the threads of the RTL\n", stderr);
    }
    return good;
}

static void join(struct worker *worker)
{
    if (worker->started) {
        pthread_mutex_lock(&worker->mutex);
        pthread_cond_signal(&worker->work);
        pthread_mutex_unlock(&worker->mutex);
        pthread_join(worker->thread, NULL);
        pthread_mutex_destroy(&worker->mutex);
        pthread_cond_destroy(&worker->work);
    }
}

void workers_end(struct shadows *shadows)
{
    for (struct shadow *s = shadows->first; s != NULL && s->worker != NULL; s = s->next) {
        ring_publish(&s->ring);
    }
    atomic_store(&shadows->ending, true);
    for (uint32_t i = 0u; shadows->workers != NULL && i < shadows->n_worker; i++) {
        join(&shadows->workers[i]);
    }
    free(shadows->workers);
    shadows->workers = NULL;
}
