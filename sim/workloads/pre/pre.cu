/*
 * pre - recommends a product to each user: of those that he has not rated, the one that the
 * products that he has rated are most like.
 *
 *   pre_score         grid ceil(users / 64), block 64: a thread adds its user's rating of each
 *                     product, times how like it they are, to the scores of the products like
 * it pre_score_nested  the same, but a user with 32 ratings or more launches pre_ratings grid
 * ceil(ratings / 32), block 32: a thread has a rating pre_choose        grid users, block 64:
 * the product with the best score, of those the first
 *
 * LaPerm Table II (PRE).
 */

#include "cuda.h"
#include "cuda_launch.h"

enum { MANY = 32, BLOCK = 32, CHOOSING = 64, RATED = 1 << 30 };

struct rating {
    int product, stars;
};
struct like {
    int product, percent;
};

__device__ __forceinline__ void score(struct rating rating, const int *first_like,
                                      const struct like *likes, int *scores)
{
    atomicSub(&scores[rating.product], RATED);
    for (int k = first_like[rating.product]; k < first_like[rating.product + 1]; k++) {
        atomicAdd(&scores[likes[k].product], rating.stars * likes[k].percent);
    }
}

extern "C" __global__ void pre_ratings(const struct rating *ratings, int count,
                                       const int *first_like, const struct like *likes,
                                       int *scores)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        score(ratings[i], first_like, likes, scores);
    }
}

template <bool nested>
__device__ __forceinline__ void score_all(const int *first, const struct rating *ratings,
                                          const int *first_like, const struct like *likes,
                                          int *scores, int products, int users)
{
    const int user = blockIdx.x * blockDim.x + threadIdx.x;
    if (user >= users) {
        return;
    }
    const int from = first[user], count = first[user + 1] - from;
    int *const own = scores + (long long)user * products;
    if (nested && count >= MANY) {
        launch<pre_ratings>((count + BLOCK - 1) / BLOCK, BLOCK, 0, cudaStreamFireAndForget)(
            ratings + from, count, first_like, likes, own);
        if (cudaGetLastError() == cudaSuccess) {
            return;
        }
    }
    for (int k = from; k < from + count; k++) {
        score(ratings[k], first_like, likes, own);
    }
}

extern "C" __global__ void pre_score(const int *first, const struct rating *ratings,
                                     const int *first_like, const struct like *likes,
                                     int *scores, int products, int users)
{
    score_all<false>(first, ratings, first_like, likes, scores, products, users);
}

extern "C" __global__ void pre_score_nested(const int *first, const struct rating *ratings,
                                            const int *first_like, const struct like *likes,
                                            int *scores, int products, int users)
{
    score_all<true>(first, ratings, first_like, likes, scores, products, users);
}

extern "C" __global__ void pre_choose(const int *scores, int products, int *chosen)
{
    __shared__ int best[CHOOSING], product[CHOOSING];
    const int *const own = scores + (long long)blockIdx.x * products;
    const int me = threadIdx.x;
    best[me] = -RATED;
    product[me] = products;
    for (int p = me; p < products; p += CHOOSING) {
        if (own[p] > best[me]) {
            best[me] = own[p];
            product[me] = p;
        }
    }
    for (int half = CHOOSING / 2; half > 0; half /= 2) {
        __syncthreads();
        if (me < half
            && (best[me + half] > best[me]
                || (best[me + half] == best[me] && product[me + half] < product[me]))) {
            best[me] = best[me + half];
            product[me] = product[me + half];
        }
    }
    if (me == 0) {
        chosen[blockIdx.x] = product[0];
    }
}
