// claso_launch_ghost - the launches of CLASO as its ports show them, kept beside the design, and the CTAs issued since; for
// proofs, of CLASO.
//
// f_slot, f_pool and f_core are the slot, the pool and the core that are watched. A group is the cores that share global
// credits: those of a pool, or all if the launch is not split, and then it is the group of pool 0. Other ports are CLASO's,
// and nets of it, under their names.

`default_nettype none

module claso_launch_ghost #(
    parameter integer N_CORE   = 15,
    parameter integer N_POOL   = 1,
    parameter integer N_KERNEL = 4,
    parameter integer CTA_W    = 20,
    parameter integer LEVEL_W  = 4,
    parameter integer CORE_W   = (N_CORE > 1) ? $clog2(N_CORE) : 1,
    parameter integer KERNEL_W = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1,
    parameter integer POOL_W   = (N_POOL > 1) ? $clog2(N_POOL) : 1,
    parameter integer W        = CTA_W + 8
) (
    input  wire                clk, rst_i, launch_valid_i, launch_split_i, consume_valid_i, consume_allowed_o,
                               busy_q, allocated,
    input  wire [KERNEL_W-1:0] f_slot, launch_kernel_i, consume_kernel_i,
    input  wire [POOL_W-1:0]   f_pool, launch_pool_i,
    input  wire [CORE_W-1:0]   f_core, consume_core_i,
    input  wire [CTA_W-1:0]    launch_ctas_i,
    input  wire [N_CORE-1:0]   launch_cores_i,
    input  wire [LEVEL_W-1:0]  launch_active_i, launch_loose_i,

    output reg  [N_CORE-1:0]   f_pool_cores,  // bit c: core c is of the pool
    output wire [N_CORE-1:0]   f_members,     // cores of the group
    output wire                f_launch_now,  // a launch is taken in this cycle,
    output wire                f_launch_bad,  // and refused;
    output wire                f_launch,      // it is legal, and of the slot,
    output wire                f_group_now,   // and of the pool
    output wire [W-1:0]        f_core_block,  // CTAs that the core is issued in this cycle
    output wire [W-1:0]        f_block,       // and that the group is

    // The last launch of any slot, by which the next is known.
    output reg  [W-1:0]        f_last_n_core,  // 0: there was none
    output reg  [CTA_W-1:0]    f_last_ctas,
    output reg                 f_recounted,    // it looked as if, but for the number of its cores
    output reg                 f_known,        // it was known by the one before

    // The slot's last launch.
    output reg                 f_launched,
    output reg                 f_split,        // it was split
    output reg                 f_group_last,   // it was for the pool
    output reg  [W-1:0]        f_age,          // cycles since then, up to f_latency
    output reg  [W-1:0]        f_latency,      // from launch to mask
    output wire                f_held,

    // The last launch of the group, if its credits stand; and the CTAs issued since.
    output reg                 f_group,
    output reg  [CTA_W-1:0]    f_ctas,
    output reg  [N_CORE-1:0]   f_cores,
    output reg  [LEVEL_W-1:0]  f_active,
    output reg  [LEVEL_W-1:0]  f_loose,
    output reg  [W-1:0]        f_issued,       // to all cores of the group
    output reg  [W-1:0]        f_core_issued   // to the core
);

    localparam integer POOL_CORE = (N_CORE + N_POOL - 1) / N_POOL;  // cores of a pool
    localparam         POOLS     = N_POOL > 1;                      // so a launch may be known

    reg [N_CORE-1:0] launch_cores;  // of the pool of the launch
    reg [W-1:0]      n_core;
    integer          k;
    always @* begin : p_cores
        n_core = 0;
        for (k = 0; k < N_CORE; k = k + 1) begin
            f_pool_cores[k] = k / POOL_CORE == f_pool;
            launch_cores[k] = !launch_split_i || k / POOL_CORE == launch_pool_i;
            n_core          = n_core + (launch_cores_i[k] && launch_cores[k]);
        end
    end

    // What a launch and a consume need is spelled out once more, in the words of the contract.
    assign f_launch_bad = launch_kernel_i >= N_KERNEL || launch_ctas_i == 0
                          || (launch_split_i && launch_pool_i >= N_POOL)
                          || (launch_cores_i & launch_cores) == 0 || launch_active_i == 0;
    assign f_launch_now = !rst_i && launch_valid_i && (!busy_q || allocated);
    assign f_launch     = f_launch_now && !f_launch_bad && launch_kernel_i == f_slot;
    assign f_group_now  = (launch_split_i ? launch_pool_i : 0) == f_pool;

    wire consume = !rst_i && consume_valid_i && consume_allowed_o && consume_kernel_i == f_slot;

    assign f_core_block = consume && consume_core_i == f_core;
    assign f_block      = consume && f_members[consume_core_i];
    assign f_members    = f_split ? f_pool_cores : f_pool == 0 ? ~0 : 0;

    wire like_now  = POOLS && f_last_n_core != 0
                     && (launch_ctas_i == f_last_ctas
                         || {1'b0, launch_ctas_i} + 1'b1 == {1'b0, f_last_ctas});
    wire known_now = like_now && n_core == f_last_n_core;

    always @(posedge clk) begin : p_last
        if (rst_i) begin
            f_last_n_core <= 0;
            f_last_ctas   <= 0;
            f_known       <= 1'b0;
            f_recounted   <= 1'b0;
        end else if (f_launch_now && !f_launch_bad) begin
            f_last_n_core <= n_core;
            f_last_ctas   <= launch_ctas_i;
            f_known       <= known_now;
            f_recounted   <= like_now && !known_now;
        end
    end

    assign f_held = f_launched && f_age == f_latency;
    wire   there  = f_launched && f_age + 1 >= f_latency;  // or are being written

    always @(posedge clk) begin : p_group
        if (rst_i) begin
            f_launched <= 1'b0;
            f_group    <= 1'b0;
        end else if (f_launch) begin
            f_launched   <= 1'b1;
            f_split      <= launch_split_i;
            f_group_last <= f_group_now;
            f_age        <= 1;
            f_latency    <= known_now ? 3 : 3 + like_now + (POOLS ? (CTA_W + 1) / 2 : CTA_W);
            if (f_group_now) begin
                f_group       <= 1'b1;
                f_ctas        <= launch_ctas_i;
                f_cores       <= launch_cores_i & launch_cores;
                f_active      <= launch_active_i;
                f_loose       <= launch_loose_i;
                f_issued      <= 0;
                f_core_issued <= 0;
            end else begin
                // Pools that are launched one after the other leave each other alone.
                f_group       <= f_group && there && f_split && launch_split_i;
                f_issued      <= f_issued + f_block;
                f_core_issued <= f_core_issued + f_core_block;
            end
        end else begin
            f_issued      <= f_issued + f_block;
            f_core_issued <= f_core_issued + f_core_block;
            if (f_age < f_latency) f_age <= f_age + 1;
        end
    end

endmodule

`default_nettype wire
