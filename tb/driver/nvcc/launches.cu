/* launches - kernels that launch kernels, as nvcc compiles them since CUDA 12: nine small
 * programs. What each computes depends on what CUDA promises, and the test computes it again on
 * the CPU. */

/* ---- Two levels ---------------------------------------------------------------------- */

extern "C" __global__ void cell(int *x, int base)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&x[i], base + i);
}

extern "C" __global__ void row(int *x, int number)
{
    const int at = 6 * number + threadIdx.x;
    cell<<<2, 4>>>(x + 8 * at, 100 * at);
}

/* Rows of a triangle: thread t of all launches a row of t + 1 threads. */
extern "C" __global__ void triangle(int *x)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    row<<<1, t + 1>>>(x, t);
}

/* ---- Recursion ----------------------------------------------------------------------- */

/* x[k] += 3 k + 1 for n words, by halves. */
extern "C" __global__ void halve(int *x, int from, int n)
{
    if (n == 1) {
        atomicAdd(&x[from], 3 * from + 1);
        return;
    }
    halve<<<1, 1>>>(x, from, n / 2);
    halve<<<1, 1>>>(x, from + n / 2, n - n / 2);
}

/* Goes down until it is refused: x[0] the error, x[1] the deepest level, x[2] kernels that ran.
 */
extern "C" __global__ void dig(int *x, int level)
{
    atomicMax(&x[1], level);
    atomicAdd(&x[2], 1);
    if (level < 1000) {
        dig<<<1, 1>>>(x, level + 1);
        const int error = cudaGetLastError();
        if (error != cudaSuccess) {
            x[0] = error;
        }
    }
}

/* Takes its own place, which is no deeper: x[0] = 2 x[0] + left, modulo 65521. */
extern "C" __global__ void onward(int *x, int left)
{
    x[0] = (2 * x[0] + left) % 65521;
    if (left > 0) {
        onward<<<1, 1, 0, cudaStreamTailLaunch>>>(x, left - 1);
    }
}

/* ---- Fire and forget ----------------------------------------------------------------- */

extern "C" __global__ void drop(int *bins, int thread)
{
    atomicAdd(&bins[(7 * thread + threadIdx.x) % 16], thread * threadIdx.x + 1);
}

extern "C" __global__ void keep(int *seen, const int *bins)
{
    seen[threadIdx.x] = bins[threadIdx.x];
}

/* The tail launch sees what all of them have done. */
extern "C" __global__ void scatter(int *bins)
{
    drop<<<1, 32, 0, cudaStreamFireAndForget>>>(bins, threadIdx.x);
    if (threadIdx.x == 0) {
        keep<<<1, 16, 0, cudaStreamTailLaunch>>>(bins + 16, bins);
    }
}

extern "C" __global__ void one(int *ran, int at)
{
    atomicAdd(&ran[at], 1);
}

/* A launch a thread, more than may be pending: each runs once, or its thread has an error. */
extern "C" __global__ void flood(int *ran, int *error)
{
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    one<<<1, 1, 0, cudaStreamFireAndForget>>>(ran, at);
    error[at] = cudaGetLastError();
}

/* ---- Tail launches ------------------------------------------------------------------- */

extern "C" __global__ void step(int *x, int multiply, int add)
{
    x[threadIdx.x] = x[threadIdx.x] * multiply + add;
}

/* A step, with a child and a tail launch. */
extern "C" __global__ void family(int *x, int multiply)
{
    x[threadIdx.x] *= multiply;
    if (threadIdx.x == 0) {
        step<<<1, 32, 0, cudaStreamTailLaunch>>>(x, multiply, 5);
        step<<<1, 32>>>(x, 2, multiply);
    }
}

/* Children first, each with its tail, then the tail launches, each with its child and its tail.
 */
extern "C" __global__ void order(int *x)
{
    x[threadIdx.x] += threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        family<<<1, 32, 0, cudaStreamTailLaunch>>>(x, 3);
        step<<<1, 32, 0, cudaStreamTailLaunch>>>(x, 7, 1);
        family<<<1, 32>>>(x, -2);
        step<<<1, 32>>>(x, 1, 9);
    }
}

/* ---- Streams ------------------------------------------------------------------------- */

/* A stream a CTA: its launches are in their order. */
extern "C" __global__ void own_stream(int *x)
{
#pragma unroll 1
    for (int i = 1; threadIdx.x == 0 && i <= 5; i++) {
        step<<<1, 1>>>(x + blockIdx.x, 4, i * (int)blockIdx.x - 3);
    }
}

extern "C" __global__ void merge(int *x)
{
    x[2] = 1000 * x[0] + x[1];
}

/* b waits for what a has done: x[2] has both. x[3]: errors. */
extern "C" __global__ void two_streams(int *x)
{
    cudaStream_t a, b;
    cudaEvent_t done;
    int error = cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    error += cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    error += cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    step<<<1, 1, 0, b>>>(x + 1, 6, 1);
#pragma unroll 1
    for (int i = 0; i < 4; i++) {
        step<<<1, 1, 0, a>>>(x, 3, i);
    }
    error += cudaEventRecord(done, a);
    error += cudaStreamWaitEvent(b, done, 0);
    merge<<<1, 1, 0, b>>>(x);
    error += cudaEventDestroy(done);
    error += cudaStreamDestroy(a);
    error += cudaStreamDestroy(b);
    x[3] = error;
}

/* ---- Parameters by value ------------------------------------------------------------- */

struct pebble {
    char letter;
    double weight;
    short at[3];
};
struct __align__(16) slab
{
    float side[4];
};
struct shelf {
    int place[11];
};

extern "C" __global__ void unpack(long long *out, unsigned char small, short odd, pebble p,
                                  bool flag, slab s, shelf shelves, float real, long long big)
{
    const int i = threadIdx.x;
    if (i < 11) {
        out[i] = shelves.place[i];
    } else if (i < 15) {
        out[i] = (long long)(4 * s.side[i - 11]);
    } else if (i < 18) {
        out[i] = p.at[i - 15];
    } else if (i == 18) {
        out[18] = small;
        out[19] = odd;
        out[20] = p.letter;
        out[21] = (long long)(8 * p.weight);
        out[22] = flag;
        out[23] = (long long)(2 * real);
        out[24] = big;
    }
}

extern "C" __global__ void pack(long long *out, pebble p, shelf shelves)
{
    const int i = threadIdx.x;
    slab s = { { 0.25f, -1.5f, 2.75f, 4.0f } };
    s.side[i % 4] += 16.0f;
    shelves.place[2 * i] -= 1000 * p.at[0];
    p.at[2] = (short)(-i);
    p.letter = (char)(p.letter + i);
    unpack<<<1, 32>>>(out + 25 * i, (unsigned char)(250 + i), (short)(-9 * i), p, i % 2 == 1, s,
                      shelves, 0.5f * i, (1ll << 41) - i);
}

/* ---- Lanes apart --------------------------------------------------------------------- */

extern "C" __global__ void flat(int *x, int add)
{
    atomicAdd(x, add);
}

extern "C" __global__ void solid(int *x)
{
    atomicAdd(x, 1000 * (blockIdx.y + 1) + 10 * threadIdx.y + threadIdx.z);
}

extern "C" __global__ void with_shared(int *x, int n)
{
    extern __shared__ int part[];
    part[n - 1 - threadIdx.x] = threadIdx.x * threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 0; i < n; i++) {
            atomicAdd(x, part[i] * (i + 1));
        }
    }
}

/* Lanes go round as often as their numbers need, and each time launch another kernel, or none.
 */
extern "C" __global__ void apart(int *x)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int n = i; n > 0; n /= 3) {
        switch (n % 4) {
        case 0:
            flat<<<n % 5 + 1, 2>>>(x + i, n);
            break;
        case 1:
            solid<<<dim3(1, 2), dim3(2, 3, 2)>>>(x + i);
            break;
        case 2:
            with_shared<<<1, n % 7 + 2, (n % 7 + 2) * sizeof(int)>>>(x + i, n % 7 + 2);
            break;
        default:
            atomicAdd(x + i, -n);
        }
    }
}

/* ---- What can never fit -------------------------------------------------------------- */

extern "C" __global__ void never(int *x)
{
    extern __shared__ int part[];
    part[threadIdx.x] = 1;
    atomicAdd(x, part[0]);
}

extern "C" __global__ void tries(int *x, int shared)
{
    never<<<1, 1, shared>>>(x);
    x[1] = cudaPeekAtLastError();
    x[2] = cudaGetLastError();
    x[3] = cudaGetLastError();
    never<<<1, 4096>>>(x);
    x[4] = cudaGetLastError();
    never<<<dim3(1, 0), 32>>>(x);
    x[5] = cudaGetLastError();
    never<<<1, dim3(1, 1, 0)>>>(x);
    x[6] = cudaGetLastError();
    flat<<<1, 1>>>(x + 7, 1);
    x[8] = cudaGetLastError();
}

/* It is the child's child that does not fit. */
extern "C" __global__ void too_large(int *x, int shared)
{
    tries<<<1, 1>>>(x, shared);
}

/* ---- Breadth-first search ------------------------------------------------------------ */

extern "C" __global__ void visit(const int *to, int n, int *distance, int level)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && distance[to[i]] < 0) {
        distance[to[i]] = level;
    }
}

extern "C" __global__ void widen(const int *from, const int *to, int *distance, int vertices,
                                 int level);

/* A level, then the next if this one has found any. distance[vertices]: launches for vertices
 * of many edges. */
extern "C" __global__ void deepen(const int *from, const int *to, int *distance, int vertices,
                                  int level)
{
    bool found = false;
    for (int v = 0; v < vertices; v++) {
        found |= distance[v] == level;
    }
    if (found) {
        widen<<<(vertices + 31) / 32, 32>>>(from, to, distance, vertices, level);
        deepen<<<1, 1, 0, cudaStreamTailLaunch>>>(from, to, distance, vertices, level + 1);
    }
}

extern "C" __global__ void widen(const int *from, const int *to, int *distance, int vertices,
                                 int level)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices || distance[v] != level) {
        return;
    }
    const int n = from[v + 1] - from[v];
    if (n > 8) {
        visit<<<(n + 7) / 8, 8>>>(to + from[v], n, distance, level + 1);
        atomicAdd(&distance[vertices], 1);
        return;
    }
    for (int i = from[v]; i < from[v + 1]; i++) {
        if (distance[to[i]] < 0) {
            distance[to[i]] = level + 1;
        }
    }
}
