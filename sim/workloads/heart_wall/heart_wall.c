/*
 * heart_wall, host part: films whose content moves by a known number of pixels a frame, with
 * noise. The CPU looks for the points itself. Where two places are equally good but for
 * rounding the GPU may choose either.
 */

#include <math.h>
#include <stdlib.h>

#include "workloads/workload_kit.h"

enum { THREADS = 256, MOVE_X = 2, MOVE_Y = -1 };

static const struct film {
    uint32_t points, frames;
    int32_t width, height, radius, reach;
} films[] = {
    [SIZE_SMALL] = { 6, 1, 64, 64, 3, 4 },
    [SIZE_MEDIUM] = { 51, 2, 256, 192, 10, 8 },
    [SIZE_PAPER] = { 56, 5, 656, 608, 25, 15 },
    [SIZE_TH3] = { 56, 5, 656, 608, 25, 15 },
};

struct tracker {
    int32_t width, height, radius, reach;
};

struct point {
    int32_t x, y;
};

static int32_t size_of(const struct film *film)
{
    return 2 * film->radius + 1;
}

static size_t frame_bytes(const struct film *film)
{
    return (size_t)film->width * (size_t)film->height;
}

/* A pattern that does not repeat within a window, moved by the frame's number. */
static void make_frame(struct kit *kit, const struct film *film, int32_t number, uint8_t *frame)
{
    for (int32_t y = 0; y < film->height; y++) {
        for (int32_t x = 0; x < film->width; x++) {
            const double u = x - MOVE_X * number, v = y - MOVE_Y * number;
            const double wave = sin(0.31 * u + 0.07 * v) + sin(0.23 * v - 0.05 * u)
                                + sin(0.017 * u * v / film->radius);
            frame[y * film->width + x] =
                (uint8_t)(125.0 + 35.0 * wave + (double)kit_uniform(kit, -15.0f, 15.0f));
        }
    }
}

/* On an ellipse, far enough from the edge for all frames. */
static void place_points(const struct film *film, struct point *points)
{
    const int32_t margin = film->radius + film->reach + (int32_t)film->frames * film->reach + 1;
    const int32_t centre_x = film->width / 2, centre_y = film->height / 2;
    for (uint32_t i = 0; i < film->points; i++) {
        const double angle = 6.283185307 * i / film->points;
        points[i].x = centre_x + (int32_t)((centre_x - margin) * cos(angle));
        points[i].y = centre_y + (int32_t)((centre_y - margin) * sin(angle));
    }
}

static int32_t pixel_at(const struct film *film, const uint8_t *frame, struct point centre,
                        int32_t i)
{
    const int32_t x = centre.x - film->radius + i % size_of(film);
    const int32_t y = centre.y - film->radius + i / size_of(film);
    return frame[y * film->width + x];
}

static double score(const struct film *film, const uint8_t *frame, struct point centre,
                    const int32_t *pattern)
{
    const int32_t size = size_of(film), n = size * size;
    double sum = 0.0, squares = 0.0, products = 0.0, pattern_sum = 0.0;

    for (int32_t j = 0; j < size; j++) {
        const int32_t row = (centre.y - film->radius + j) * film->width;
        for (int32_t i = 0; i < size; i++) {
            const double pixel = frame[row + centre.x - film->radius + i];
            const double other = pattern[j * size + i];
            sum += pixel;
            squares += pixel * pixel;
            products += pixel * other;
            pattern_sum += other;
        }
    }
    const double covariance = n * products - sum * pattern_sum;
    const double variance = n * squares - sum * sum;
    return variance > 0.0 ? covariance * fabs(covariance) / variance : 0.0;
}

/* True if `got` is the best place, or one as good but for rounding. */
static bool is_best(const struct film *film, const uint8_t *frame, struct point before,
                    struct point got, const int32_t *pattern)
{
    const int32_t reach = film->reach;
    double best = -INFINITY;

    if (abs(got.x - before.x) > reach || abs(got.y - before.y) > reach) {
        return false;
    }
    for (int32_t y = -reach; y <= reach; y++) {
        for (int32_t x = -reach; x <= reach; x++) {
            const struct point here = { before.x + x, before.y + y };
            best = fmax(best, score(film, frame, here, pattern));
        }
    }
    return score(film, frame, got, pattern) >= best - 1e-5 * fabs(best);
}

/* Follows the GPU's points; brings points and templates up to date. */
static bool check_frame(struct kit *kit, const struct film *film, const uint8_t *frame,
                        const struct point *got, struct point *points, int32_t *templates)
{
    const int32_t n = size_of(film) * size_of(film);

    for (uint32_t p = 0; p < film->points; p++) {
        int32_t *pattern = templates + (size_t)p * (size_t)n;
        if (!is_best(film, frame, points[p], got[p], pattern)) {
            return kit_fail(kit, "point %u: (%d, %d) is not where it is, from (%d, %d)", p,
                            got[p].x, got[p].y, points[p].x, points[p].y);
        }
        points[p] = got[p];
        for (int32_t i = 0; i < n; i++) {
            pattern[i] = (3 * pattern[i] + pixel_at(film, frame, points[p], i) + 2) / 4;
        }
    }
    return true;
}

struct device {
    gsp_pointer frame, templates, points, scratch;
};

static struct device prepare(struct kit *kit, const struct film *film,
                             const struct point *points, const int32_t *templates,
                             size_t template_bytes)
{
    const size_t side = (size_t)size_of(film) + 2 * (size_t)film->reach;
    const struct device device = {
        .frame = kit_alloc(kit, frame_bytes(film)),
        .templates = kit_alloc_copy(kit, templates, template_bytes),
        .points = kit_alloc_copy(kit, points, film->points * sizeof(*points)),
        .scratch = kit_alloc(kit, 3 * side * side * film->points * sizeof(int32_t)),
    };
    return device;
}

static void launch(struct kit *kit, const struct film *film, struct device *device,
                   const uint8_t *frame)
{
    struct tracker tracker = { film->width, film->height, film->radius, film->reach };
    const struct gsp_dim grid = { film->points, 1, 1 }, block = { THREADS, 1, 1 };

    kit_copy_in(kit, device->frame, frame, frame_bytes(film));
    KIT_LAUNCH(kit, "heart_wall", grid, block, &device->frame, &device->templates,
               &device->points, &device->scratch, &tracker);
}

static bool run(struct kit *kit, enum workload_size size)
{
    const struct film *film = &films[size];
    const size_t n = (size_t)size_of(film) * (size_t)size_of(film), all = film->points * n;
    struct point *points = kit_host(kit, film->points * sizeof(*points));
    struct point *got = kit_host(kit, film->points * sizeof(*points));
    int32_t *templates = kit_host(kit, all * sizeof(int32_t));
    int32_t *got_templates = kit_host(kit, all * sizeof(int32_t));
    uint8_t *frame = kit_host(kit, frame_bytes(film));
    place_points(film, points);
    make_frame(kit, film, 0, frame);
    for (size_t i = 0; i < all; i++) {
        templates[i] = pixel_at(film, frame, points[i / n], (int32_t)(i % n));
    }
    struct device device = prepare(kit, film, points, templates, all * sizeof(int32_t));
    for (int32_t f = 1; f <= (int32_t)film->frames; f++) {
        make_frame(kit, film, f, frame);
        launch(kit, film, &device, frame);
        kit_copy_out(kit, got, device.points, film->points * sizeof(*points));
        if (!check_frame(kit, film, frame, got, points, templates)) {
            return false;
        }
    }
    kit_copy_out(kit, got_templates, device.templates, all * sizeof(int32_t));
    return kit_check_ints(kit, "template", got_templates, templates, all);
}

static const struct kit_registers registers[] = {
    { "heart_wall", 32, "thesis Table 3.2: 4 CTAs per core" },
    { NULL, 0, NULL },
};

const struct cuda_workload workload_heart_wall = {
    .name = "heart_wall",
    .title = "points followed through a film by their templates",
    .source = "thesis Table 3.2 (Heart)",
    .check = "every point at a place of the best correlation (within 1e-5), templates exactly",
    .run = run,
    .papers = SIZE_BIT(TH3),
    .registers = registers,
};
