// laperm_launch_properties - what becomes of any one launch, from the cycle in which it is taken until its last thread block
// is dispatched, through the sets, memory and back. Proved of all states that can be reached (tb/formal/reach.sh), for the
// sizes in tb/units/laperm.
//
// The launch that is followed is the only one whose payload is 1: the scheduler carries payloads, and never looks at them.
// Memory is as the contract has it: a queue for each SM and level, first come, first out, and an answer for each request.
//
// Ports: nets and registers of the scheduler, under their names. Assertions are a_, covers c_, other proof-only names f_.

`default_nettype none

module laperm_launch_properties #(
    parameter integer N_SM      = 13,
    parameter integer N_LEVEL   = 4,
    parameter integer PAYLOAD_W = 64,
    parameter integer TB_W      = 20,
    parameter integer SPILL_W   = 16,
    parameter integer KERNEL_W  = 5,
    parameter integer STAMP_W   = 24,
    parameter integer SM_W      = (N_SM > 1) ? $clog2(N_SM) : 1,
    parameter integer LEVEL_W   = $clog2(N_LEVEL + 1)
) (
    input wire clk, rst_i,
    input wire [1:0] mode_i, mode_q,
    input wire launch_valid_i, launch_host_i, hosted, inserted, spilled,
    input wire [SM_W-1:0] launch_sm_i,
    input wire [LEVEL_W-1:0] launch_parent_i,
    input wire [PAYLOAD_W-1:0] launch_payload_i,
    input wire [KERNEL_W-1:0] launch_kernel_i,
    input wire [TB_W-1:0] launch_tbs_i,
    input wire spill_ready_i, ask_ready_i, back_valid_i, dispatch_ready_i,
    input wire [SM_W-1:0] back_sm_i,
    input wire [LEVEL_W-1:0] back_level_i,
    input wire [PAYLOAD_W-1:0] back_payload_i,
    input wire [KERNEL_W-1:0] back_kernel_i,
    input wire [TB_W-1:0] back_tbs_i,
    input wire [N_SM-1:0] room_i, limit_i, credit_i,
    input wire spill_valid_q, ask_valid_q, back_valid_q, going_q, last_q,
    input wire [SM_W-1:0] spill_sm_q, ask_sm_q, to_q, from_q,
    input wire [LEVEL_W-1:0] spill_level_q, ask_level_q, level_q,
    input wire [PAYLOAD_W-1:0] spill_payload_q, payload_q,
    input wire [KERNEL_W-1:0] spill_kernel_q, kernel_q,
    input wire [TB_W-1:0] spill_tbs_q, tb_q
);

    reg f_started = 1'b0;  // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;
    always @* assume (f_started != rst_i);

    // ---- The launch that is followed ----------------------------------------

    (* anyconst *) reg               f_host;
    (* anyconst *) reg [SM_W-1:0]    f_sm;
    (* anyconst *) reg [LEVEL_W-1:0] f_level;  // 0 is queue 0
    reg                f_taken = 1'b0, f_done = 1'b0;
    reg [KERNEL_W-1:0] f_kernel = 0;
    reg [TB_W-1:0]     f_tbs = 0, f_count = 0;  // its thread blocks, and those dispatched
    always @* assume (f_sm < N_SM && (f_host ? f_level == 0 : f_level != 0 && f_level <= N_LEVEL));

    wire               f_mark = launch_payload_i == 1;
    wire [LEVEL_W-1:0] f_goes = launch_host_i ? 0 : mode_q == 0 ? 1 : launch_parent_i >= N_LEVEL ? N_LEVEL : launch_parent_i + 1;
    wire               f_mine = launch_host_i == f_host && (f_host || launch_sm_i == f_sm) && f_goes == f_level;
    always @* assume (launch_payload_i <= 1 && (!f_mark || (f_mine && !f_taken)));
    wire f_takes = f_mark && (hosted || inserted || spilled);
    wire f_shows = going_q && dispatch_ready_i && payload_q == 1;

    always @(posedge clk) if (!rst_i) begin
        if (f_takes) begin
            f_taken  <= 1'b1;
            f_kernel <= launch_kernel_i;
            f_tbs    <= launch_tbs_i;
        end
        if (f_shows) begin
            f_count <= f_count + 1'b1;
            f_done  <= f_done || last_q;
        end
    end

    // ---- Memory -------------------------------------------------------------

    localparam integer W = SPILL_W + 1;
    wire f_written  = spill_valid_q && spill_ready_i && spill_sm_q == f_sm && spill_level_q == f_level;
    wire f_comes    = back_valid_i && !back_valid_q;
    wire f_returned = f_comes && back_sm_i == f_sm && back_level_i == f_level;
    reg  [W-1:0] f_n = 0, f_ahead = 0;  // entries of the queue that are in memory, and those before it
    reg          f_stored = 1'b0;       // it is there
    wire         f_back = f_returned && f_stored && f_ahead == 0;

    // Requests that have been taken, and are not answered: one a set.
    reg [N_SM-1:0]         f_owes = 0;
    reg [N_SM*LEVEL_W-1:0] f_owed = 0;
    localparam [N_SM-1:0] SM_0 = 1;
    integer f_k;
    always @(posedge clk) if (!rst_i) begin
        f_owes <= (f_owes & ~(SM_0 << back_sm_i & {N_SM{f_comes}})) | (SM_0 << ask_sm_q & {N_SM{ask_valid_q && ask_ready_i}});
        for (f_k = 0; f_k < N_SM; f_k = f_k + 1)
            if (ask_valid_q && ask_ready_i && ask_sm_q == f_k) f_owed[f_k*LEVEL_W +: LEVEL_W] <= ask_level_q;
        f_n      <= f_n + f_written - f_returned;
        f_stored <= (f_stored && !f_back) || (f_written && spill_payload_q == 1);
        if (f_written && spill_payload_q == 1) f_ahead <= f_n - f_returned;
        else if (f_returned && f_ahead != 0) f_ahead <= f_ahead - 1'b1;
    end
    wire [LEVEL_W-1:0] f_answers = f_owed >> (back_sm_i * LEVEL_W);
    always @* begin
        if (back_valid_i) assume (back_sm_i < N_SM && ((f_owes >> back_sm_i) & 1'b1) == 1 && back_level_i == f_answers);
        if (back_valid_i) assume (back_payload_i == f_back);
        if (f_back) assume (back_kernel_i == f_kernel && back_tbs_i == f_tbs);
    end

    // ---- Assertions ---------------------------------------------------------

    always @* if (f_started) begin
        if (f_returned) a_there : assert (f_n != 0);
        if (f_shows) begin
            a_taken  : assert (f_taken && !f_done);
            a_number : assert (tb_q == f_count && last_q == (f_count + 1'b1 == f_tbs));
            a_whose  : assert (kernel_q == f_kernel && level_q == f_level && (f_host || from_q == f_sm));
        end
        if (f_written && spill_payload_q == 1)
            a_memory : assert (f_taken && !f_stored && spill_kernel_q == f_kernel && spill_tbs_q == f_tbs);
    end

    // ---- It comes to its end ------------------------------------------------
    // While dispatches are taken, memory answers, and the mode stays, in each of these ways:
    // 0 a child with SMX-Bind and Adaptive-Bind, while its SM keeps having room, and nothing of a higher level is launched
    //   there; 1 a launch of the host, while some SM keeps having room and credit, and nothing is launched there;
    // 2 a child with Adaptive-Bind, while any other SM keeps having room and credit, and nothing is launched;
    //   3 a launch of the host, while any SM does;
    // 4 a child with RR and TB-Pri, while all SMs keep having room and credit, and nothing is launched; 5 of the host.
    // F_WAY is one of them, where all at once would take too long; without it, any.

`ifdef F_BOUND
    localparam integer WAIT_W = $clog2(`F_BOUND + 1);
    (* anyconst *) reg [SM_W-1:0] f_other;
    (* anyconst *) reg [2:0]      f_way;
    always @* assume (f_other < N_SM && f_way < 6);
`ifdef F_WAY
    always @* assume (f_way == `F_WAY && f_host == f_way[0]);
`endif

    // Memory answers in each cycle in which it may, and of two sets that wait the one first that has been passed over.
    reg  [N_SM-1:0] f_passed = 0;
    wire [N_SM-1:0] f_answer = SM_0 << back_sm_i & {N_SM{f_comes}};
    always @(posedge clk) if (!rst_i) f_passed <= (f_comes ? f_owes : f_passed) & ~f_answer;
    wire f_answers_now = back_valid_i && (f_passed == 0 || (f_passed & f_answer) != 0);

    reg  [WAIT_W-1:0] f_waits = 0;
    wire [N_SM-1:0] f_can   = room_i & limit_i;
    wire [N_SM-1:0] f_pays  = f_can & credit_i;
    wire f_prompt = dispatch_ready_i && spill_ready_i && ask_ready_i && (f_owes == 0 || back_valid_q || f_answers_now)
                    && mode_i == mode_q;
    wire f_higher = (inserted || spilled) && f_goes > f_level && launch_sm_i == f_sm;
    wire f_none   = !hosted && !inserted && !spilled;
    wire f_bound  = mode_q[1] && (((f_host ? f_pays : f_can) >> f_sm) & 1'b1) == 1 && !f_higher;
    wire f_steals = mode_q == 3 && ((f_pays >> f_other) & 1'b1) == 1 && f_none && (f_host || f_other != f_sm);
    wire f_free   = !mode_q[1] && &f_pays && f_none;
    wire f_goes_on = f_prompt && f_host == f_way[0] && (f_way < 2 ? f_bound : f_way < 4 ? f_steals : f_free);
    always @(posedge clk) f_waits <= (f_goes_on && f_taken && !f_done && !rst_i) ? f_waits + (f_waits != `F_BOUND) : 0;
    always @* if (f_started) a_ends : assert (f_waits != `F_BOUND);
`endif

    // ---- Covers -------------------------------------------------------------

    reg f_was_stored = 1'b0;
    always @(posedge clk) if (f_stored) f_was_stored <= 1'b1;
    always @* if (f_started) begin
        c_over   : cover (f_done);
`ifndef F_WAY
        c_host   : cover (f_done && f_host);
        c_done   : cover (f_done && f_was_stored);
        c_stolen : cover (f_shows && f_was_stored && !f_host && mode_q == 3 && (N_SM == 1 || to_q != f_sm));
`endif
    end

endmodule

`default_nettype wire
