// kmu_properties - what is proved of the kernel management unit, without a bound by induction, for the sizes in
// tb/units/kmu.
//
// Ports: nets and registers of the unit, under their names. Beside it stand all handles, each with its queue, the number
// of kernels in front of it, and its link; and a memory of links. Assertions are a_, covers c_, other proof-only names f_.

`default_nettype none

module kmu_properties #(
    parameter integer N_SM     = 13,
    parameter integer N_LEVEL  = 4,
    parameter integer HANDLE_W = 16,
    parameter integer SM_W     = (N_SM > 1) ? $clog2(N_SM) : 1,
    parameter integer LEVEL_W  = $clog2(N_LEVEL + 1),
    parameter integer N_QUEUE  = N_SM * N_LEVEL + 1,
    parameter integer QUEUE_W  = $clog2(N_QUEUE),
    parameter integer LINK_W   = LEVEL_W + SM_W + HANDLE_W
) (
    input wire clk, rst_i, arrive_valid_i, arrive_host_i, arrive_ready_o, arrive_error_o, link_ready_i, room_i, grant_ready_i,
    input wire [1:0]          mode_i,
    input wire [SM_W-1:0]     arrive_sm_i,
    input wire [LEVEL_W-1:0]  arrive_parent_i,
    input wire [HANDLE_W-1:0] arrive_handle_i,
    input wire [LINK_W-1:0]   answer_data_i,
    // Registers.
    input wire [1:0]          state_q,
    input wire [LINK_W-1:0]   new_link_q, read_head_q, link_data_q, grant_q,
    input wire [SM_W-1:0]     set_q,
    input wire [LEVEL_W-1:0]  level_q,
    input wire [N_SM-1:0]     behind_q, some_sets,
    input wire [HANDLE_W-1:0] read_tail_q, read_count_q, link_handle_q,
    input wire picks_q, first_waits_q, link_valid_q, link_write_q, reading_q, grant_valid_q,
    input wire [QUEUE_W-1:0]  home_q,
    // Queues, queue 0 lowest, and what happens in this cycle.
    input wire [N_SM*N_LEVEL-1:0]     waits,
    input wire [N_QUEUE*LINK_W-1:0]   f_heads,
    input wire [N_QUEUE*HANDLE_W-1:0] f_tails, f_counts,
    input wire [QUEUE_W-1:0]          queue,
    input wire find, act, taken, begins, some, answer, put, picked, refused
);

    // Handles, of which the proofs have few. Larger sizes are elaborated by the checks of the
    // packages; their proof fails (a_small).
    localparam integer N = HANDLE_W > 4 ? 1 : 1 << HANDLE_W;
    localparam [HANDLE_W:0] ALL = N;

    reg f_started = 1'b0;  // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;
    always @* if (!f_started) assume (rst_i);

    // Any queue, and any set.
    (* anyconst *) reg [QUEUE_W-1:0] f_any;
    (* anyconst *) reg [SM_W-1:0]    f_set;
    always @* assume (f_any < N_QUEUE && f_set < N_SM);

    wire [N_QUEUE-1:0] f_some = {waits, first_waits_q};
    function [HANDLE_W:0] f_size(input [QUEUE_W-1:0] of);  // its kernels
        reg [HANDLE_W-1:0] f_count;
        begin
            f_count = f_counts >> (of * HANDLE_W);
            f_size  = !((f_some >> of) & 1'b1) ? 0 : f_count == 0 ? ALL : f_count;
        end
    endfunction
    function [LINK_W-1:0] f_head(input [QUEUE_W-1:0] of);
        f_head = f_heads >> (of * LINK_W);
    endfunction
    function [HANDLE_W-1:0] f_tail(input [QUEUE_W-1:0] of);
        f_tail = f_tails >> (of * HANDLE_W);
    endfunction

    // ---- A count of each queue, whatever the handles and the memory -------------------------

    reg [HANDLE_W:0] f_waiting;
    always @(posedge clk) begin
        if (rst_i) f_waiting <= 0;
        else if (queue == f_any) f_waiting <= f_waiting + put - picked;
    end

    // ---- All handles, if none comes twice and memory answers what was written ---------------

    (* mem2reg *)
    reg  [HANDLE_W:0] f_before [0:N-1];
    (* mem2reg *)
    reg [QUEUE_W-1:0] f_of [0:N-1];
    (* mem2reg *)
    reg  [LINK_W-1:0] f_link [0:N-1];
    reg  [LINK_W-1:0] f_next [0:N-1];  // the memory
    reg  [LINK_W-1:0] f_answer;
    reg       [N-1:0] f_in;
    reg               f_legal;

    wire [HANDLE_W-1:0] f_new  = new_link_q[HANDLE_W-1:0];
    wire [HANDLE_W-1:0] f_left = read_head_q[HANDLE_W-1:0];

    always @(posedge clk) begin
        if (rst_i) f_legal <= 1'b1;
        else if ((put && f_in[f_new]) || (answer && answer_data_i != f_answer)) f_legal <= 1'b0;
        if (link_valid_q && link_ready_i && link_write_q) f_next[link_handle_q] <= link_data_q;
        if (link_valid_q && link_ready_i && !link_write_q) f_answer <= f_next[link_handle_q];
    end

    genvar h;
    generate
        for (h = 0; h < N; h = h + 1) begin : g_handle
            always @(posedge clk) begin
                if (rst_i) begin
                    f_in[h] <= 1'b0;
                end else if (put && f_new == h) begin
                    f_in[h]     <= 1'b1;
                    f_before[h] <= f_size(queue);
                    f_of[h]     <= queue;
                    f_link[h]   <= new_link_q;
                end else if (picked && f_of[h] == queue) begin
                    f_in[h]     <= f_in[h] && f_left != h;
                    f_before[h] <= f_before[h] - 1'b1;
                end
            end
        end
    endgenerate

    // Each handle is where it should be.
    reg f_own, f_heading, f_tailing, f_behind, f_apart, f_counted;
    reg [HANDLE_W:0] f_handles;  // of a queue
    integer f_g, f_h, f_q;
    always @* begin
        f_own     = 1'b1;
        f_heading = 1'b1;
        f_tailing = 1'b1;
        f_behind  = 1'b1;
        f_apart   = 1'b1;
        f_counted = 1'b1;
        for (f_q = 0; f_q < N_QUEUE; f_q = f_q + 1) begin
            f_handles = 0;
            for (f_h = 0; f_h < N; f_h = f_h + 1) f_handles = f_handles + (f_in[f_h] && f_of[f_h] == f_q);
            f_counted = f_counted && f_handles == f_size(f_q);
        end
        for (f_h = 0; f_h < N; f_h = f_h + 1) if (f_in[f_h]) begin
            f_own     = f_own && f_of[f_h] < N_QUEUE && f_link[f_h][HANDLE_W-1:0] == f_h && f_before[f_h] < f_size(f_of[f_h]);
            if (f_before[f_h] == 0)
                f_heading = f_heading && f_link[f_h] == (!(reading_q && home_q == f_of[f_h]) ? f_head(f_of[f_h])
                                                         : link_valid_q && !link_write_q ? f_next[link_handle_q] : f_answer);
            if (f_before[f_h] + 1'b1 == f_size(f_of[f_h]))
                f_tailing = f_tailing && f_tail(f_of[f_h]) == f_h;
            for (f_g = 0; f_g < N; f_g = f_g + 1) if (f_in[f_g] && f_g != f_h && f_of[f_g] == f_of[f_h]) begin
                f_apart = f_apart && f_before[f_g] != f_before[f_h];
                if (f_before[f_g] == f_before[f_h] + 1'b1)
                    f_behind = f_behind && f_link[f_g] == (link_valid_q && link_write_q && link_handle_q == f_h ? link_data_q
                                                                                                              : f_next[f_h]);
            end
        end
    end

    // ---- Where an arrival goes, and whose turn it is ----------------------------------------

    reg [1:0]          f_mode;
    reg                f_host;
    reg [SM_W-1:0]     f_sm;
    reg [LEVEL_W:0]    f_parent;
    reg [HANDLE_W-1:0] f_handle;
    always @(posedge clk) if (taken) begin
        f_mode   <= mode_i;
        f_host   <= arrive_host_i;
        f_sm     <= arrive_sm_i;
        f_parent <= arrive_parent_i;
        f_handle <= arrive_handle_i;
    end
    wire [LEVEL_W:0] f_level = f_host ? 0 : f_parent + 1 > N_LEVEL ? N_LEVEL : f_parent + 1;

    // The sets of the last visit, and of the one before. f_begun: a visit began in the last cycle.
    reg [5:0] f_last, f_then;
    reg       f_begun;
    wire [5:0] f_now = f_begun ? set_q : f_last;
    always @(posedge clk) begin
        f_begun <= !rst_i && begins && some_sets != 0;
        f_last  <= rst_i ? N_SM - 1 : f_now;
        if (rst_i || (begins && some_sets != 0)) f_then <= rst_i ? N_SM - 1 : f_now;
    end
    function [5:0] f_way(input [5:0] from, input [5:0] to);  // sets between
        f_way = to > from ? to - from - 1'b1 : to + N_SM - from - 1'b1;
    endfunction
    wire [N_SM-1:0] f_above = {N_SM{1'b1}} << (f_now + 1'b1);

    wire f_put  = (find || act) && !picks_q;
    wire f_pick = (find || act) && picks_q;
    wire [N_LEVEL-1:0] f_levels = waits >> (set_q * N_LEVEL);

    // ---- Assertions --------------------------------------------------------------------------

    always @(posedge clk) begin
        if (f_started) begin
            // Of each queue as many are picked as have been put.
            a_count : assert (f_waiting <= ALL && f_waiting == f_size(f_any));
            a_read  : assert (!(act && some) || read_count_q == ((f_counts >> (queue * HANDLE_W)) & (N - 1)));
            a_queue : assert (!(f_put || f_pick) || (set_q < N_SM && level_q <= N_LEVEL && (level_q != 0 || set_q == 0)));
            a_home  : assert (!reading_q || (home_q < N_QUEUE && ((f_some >> home_q) & 1'b1)));
            a_asked : assert (!(link_valid_q && !link_write_q) || reading_q);

            // Where an arrival goes.
            if (f_put) begin
                a_set   : assert (set_q == (f_host || f_mode < 2 ? 0 : f_sm));
                a_level : assert (level_q == (f_mode == 0 ? 0 : f_level));
                a_link  : assert (new_link_q == {f_level[LEVEL_W-1:0], f_host ? {SM_W{1'b0}} : f_sm, f_handle});
                a_known : assert (f_host || f_sm < N_SM);
            end

            // Who is picked: of the set whose turn it is the highest level, and queue 0 if no set has a kernel.
            if (f_pick) begin
                a_host   : assert (level_q != 0 || (some_sets == 0 && first_waits_q));
                a_higher : assert (level_q == 0 || (f_levels != 0 && f_levels >> level_q == 0));
                a_found  : assert (!act || some);
                a_alone  : assert (!reading_q && !grant_valid_q);
                a_turn   : assert (level_q == 0 || !some_sets[f_set] || f_way(f_then, set_q) <= f_way(f_then, f_set));
                a_visit  : assert (level_q == 0 || f_now == set_q);
            end
            a_behind : assert (f_now < N_SM && f_then < N_SM && behind_q == f_above);

            // First come, first served.
            if (f_legal) begin
                a_handles : assert (f_counted);
                a_own     : assert (f_own);
                a_heading : assert (f_heading);
                a_tailing : assert (f_tailing);
                a_next    : assert (f_behind);
                a_apart   : assert (f_apart);
                a_first   : assert (!(act && picks_q) || read_head_q == f_head(queue));
                a_last    : assert (!(act && some) || read_tail_q == f_tail(queue));
                if (picked)
                    a_fcfs : assert (f_in[f_left] && f_of[f_left] == queue && f_before[f_left] == 0
                                     && read_head_q == f_link[f_left]);
                a_full    : assert (!refused || f_in[f_new]);
            end

            // Nothing that shows is lost, and a grant shows once for each kernel that is picked.
            if ($past(!rst_i && grant_valid_q && !grant_ready_i))
                a_grant  : assert (grant_valid_q && $stable(grant_q));
            else
                a_picked : assert (grant_valid_q == $past(!rst_i && picked) && (!grant_valid_q || grant_q == $past(read_head_q)));
            if ($past(!rst_i && link_valid_q && !link_ready_i))
                a_stands : assert (link_valid_q && $stable({link_write_q, link_handle_q, link_data_q}));

            if (!rst_i) begin
                c_follow : cover (picked && f_legal && f_link[f_left] != 0 && reading_q == 0 && link_write_q == 0);
                c_third  : cover (put && f_legal && f_size(queue) == 2 || HANDLE_W == 1);
                c_full   : cover (refused);
                c_lower  : cover (picked && level_q != 0 && level_q < N_LEVEL || N_LEVEL == 1);
                c_turn   : cover (f_pick && f_then != f_last && level_q != 0 || N_SM == 1);
            end
        end
    end

    always @(posedge clk) a_small : assert (HANDLE_W <= 4);

endmodule

`default_nettype wire
