// kmu_properties - what is proved of the kernel management unit, without a bound by induction, for the sizes in
// tb/units/kmu.
//
// Ports: nets and registers of the unit, under their names. Beside it stand a count of one queue, any, and the kernel
// at one place of it, any, with its link, the number of kernels in front of it, and the word of memory at this place.
// What is proved of any is true of all. Assertions are a_, covers c_, other proof-only names f_.

`default_nettype none

module kmu_properties #(
    parameter integer N_SM     = 13,
    parameter integer N_LEVEL  = 4,
    parameter integer HANDLE_W = 16,
    parameter integer NEAR_W   = 3,
    parameter integer SM_W     = (N_SM > 1) ? $clog2(N_SM) : 1,
    parameter integer LEVEL_W  = $clog2(N_LEVEL + 1),
    parameter integer N_QUEUE  = N_SM * N_LEVEL + 1,
    parameter integer QUEUE_W  = $clog2(N_QUEUE),
    parameter integer LINK_W   = LEVEL_W + SM_W + HANDLE_W,
    parameter integer PLACE_W  = HANDLE_W + 1,
    parameter integer N_SLOT   = N_QUEUE << NEAR_W,
    parameter integer READS_W  = $clog2(N_SLOT + 1)
) (
    input wire clk, rst_i, arrive_valid_i, arrive_host_i, link_ready_i, answer_valid_i, room_i, grant_ready_i,
    input wire [1:0]          mode_i,
    input wire [SM_W-1:0]     arrive_sm_i,
    input wire [LEVEL_W-1:0]  arrive_parent_i,
    input wire [HANDLE_W-1:0] arrive_handle_i,
    input wire [QUEUE_W-1:0]  answer_queue_i,
    input wire [LINK_W-1:0]   answer_data_i,
    // Registers.
    input wire [LINK_W-1:0]   new_link_q, link_data_q, grant_q,
    input wire [SM_W-1:0]     set_q,
    input wire [LEVEL_W-1:0]  level_q,
    input wire [N_SM-1:0]     behind_q, some_sets,
    input wire [QUEUE_W-1:0]  queue_q, link_queue_q,
    input wire [PLACE_W-1:0]  read_put_q, read_taken_q, read_come_q,
    input wire [HANDLE_W-1:0] link_place_q,
    input wire [READS_W-1:0]  reads_q,
    input wire picks_q, first_waits_q, link_valid_q, link_write_q, again_q, absent_q, grant_valid_q,
    // Queues, queue 0 lowest, and what happens in this cycle.
    input wire [N_SM*N_LEVEL-1:0]    waits,
    input wire [N_QUEUE*PLACE_W-1:0] f_puts, f_takens, f_comes,
    input wire [N_SLOT*LINK_W-1:0]   f_nears,
    input wire [LINK_W-1:0]          first,
    input wire find, act, taken, begins, some, answer, fits, over, single, put, missed, picked, refused
);

    localparam [PLACE_W-1:0] ALL = 1 << HANDLE_W;  // kernels of a queue, at most
    localparam integer       D   = 1 << NEAR_W;    // of them near

    reg f_started = 1'b0;  // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;
    always @* if (!f_started) assume (rst_i);

    // Any queue, any place of it, and any set.
    (* anyconst *) reg [QUEUE_W-1:0]  f_any;
    (* anyconst *) reg [HANDLE_W-1:0] f_place;
    (* anyconst *) reg [SM_W-1:0]     f_set;
    always @* assume (f_any < N_QUEUE && f_set < N_SM);

    // ---- The queues, as the unit keeps them -------------------------------------------------
    // Of each: numbers, kernels, those that have come on chip, and those that have come or been asked for. Where none
    // waits the memories hold anything.

    wire [N_QUEUE-1:0]         f_some = {waits, first_waits_q};
    wire [N_QUEUE*PLACE_W-1:0] f_put_to, f_taken_to, f_come_to, f_sizes, f_heres, f_askeds;
    genvar q;
    generate
        for (q = 0; q < N_QUEUE; q = q + 1) begin : g_queue
            assign f_put_to[q*PLACE_W +: PLACE_W]   = f_puts[q*PLACE_W +: PLACE_W] & {PLACE_W{f_some[q]}};
            assign f_taken_to[q*PLACE_W +: PLACE_W] = f_takens[q*PLACE_W +: PLACE_W] & {PLACE_W{f_some[q]}};
            assign f_come_to[q*PLACE_W +: PLACE_W]  = f_comes[q*PLACE_W +: PLACE_W] & {PLACE_W{f_some[q]}};
            assign f_sizes[q*PLACE_W +: PLACE_W]    = f_put_to[q*PLACE_W +: PLACE_W] - f_taken_to[q*PLACE_W +: PLACE_W];
            assign f_heres[q*PLACE_W +: PLACE_W]    = f_come_to[q*PLACE_W +: PLACE_W]
                                                      - f_taken_to[q*PLACE_W +: PLACE_W];
            assign f_askeds[q*PLACE_W +: PLACE_W]   = f_sizes[q*PLACE_W +: PLACE_W] < D ? f_sizes[q*PLACE_W +: PLACE_W]
                                                                                        : D;
        end
    endgenerate
    function [PLACE_W-1:0] f_of(input [N_QUEUE*PLACE_W-1:0] words, input [QUEUE_W-1:0] of);
        f_of = words >> (of * PLACE_W);
    endfunction

    // ---- A count of each queue, whatever memory answers -------------------------------------

    reg [PLACE_W-1:0] f_waiting;
    always @(posedge clk) begin
        if (rst_i) f_waiting <= 0;
        else if (queue_q == f_any) f_waiting <= f_waiting + put - picked;
    end

    // ---- Reads that memory has taken and not answered ---------------------------------------

    wire f_writes = link_valid_q && link_ready_i && link_write_q;
    wire f_reads  = link_valid_q && link_ready_i && !link_write_q;
    wire f_stands = link_valid_q && (again_q || !link_write_q);  // a read that memory has not taken
    reg  [READS_W-1:0] f_all;  // of all queues
    (* mem2reg *)
    reg  [PLACE_W-1:0] f_on [0:N_QUEUE-1];
    wire [N_QUEUE*PLACE_W-1:0] f_ons;
    wire [PLACE_W-1:0] f_on_any    = f_of(f_ons, f_any);
    wire [PLACE_W-1:0] f_on_answer = f_of(f_ons, answer_queue_i);
    always @(posedge clk) f_all <= rst_i ? 0 : f_all + f_reads - answer;

    generate
        for (q = 0; q < N_QUEUE; q = q + 1) begin : g_on
            assign f_ons[q*PLACE_W +: PLACE_W] = f_on[q];
            always @(posedge clk)
                f_on[q] <= rst_i ? 0 : f_on[q] + (f_reads && link_queue_q == q) - (answer && answer_queue_i == q);
        end
    endgenerate

    // That of the place: in memory, and so many in front of it.
    wire f_asks    = f_reads && link_queue_q == f_any && link_place_q == f_place;
    wire f_answers = answer && answer_queue_i == f_any;
    reg  f_due;
    reg  [PLACE_W-1:0] f_before;
    always @(posedge clk) begin
        if (rst_i) f_due <= 1'b0;
        else if (f_asks) f_due <= 1'b1;
        else if (f_answers && f_before == 0) f_due <= 1'b0;
        if (f_asks) f_before <= f_on_any - f_answers;
        else if (f_answers) f_before <= f_before - 1'b1;
    end

    // ---- The kernel at the place, and what memory holds there -------------------------------
    // Memory is legal: it answers queues that have asked, in order, with what has been written.

    wire f_comes_in = put && queue_q == f_any && read_put_q[HANDLE_W-1:0] == f_place;
    wire f_leaves   = picked && queue_q == f_any;
    wire f_written  = f_writes && link_queue_q == f_any && link_place_q == f_place;
    reg               f_in;
    reg [PLACE_W-1:0] f_front;
    reg [LINK_W-1:0]  f_link, f_word;
    reg               f_wrote, f_legal;
    always @(posedge clk) begin
        if (rst_i) f_in <= 1'b0;
        else if (f_comes_in) f_in <= 1'b1;
        else if (f_leaves && f_front == 0) f_in <= 1'b0;
        if (f_comes_in) f_front <= f_waiting;
        else if (f_leaves) f_front <= f_front - 1'b1;
        if (f_comes_in) f_link <= new_link_q;
        if (f_written) f_word <= link_data_q;
        f_wrote <= !f_comes_in && (f_wrote || f_written);

        if (rst_i) f_legal <= 1'b1;
        else if (answer && (f_on_answer == 0 || (f_answers && f_due && f_before == 0 && answer_data_i != f_word)))
            f_legal <= 1'b0;
    end

    // Where the place is, by the unit's numbers: behind the first kernel, and behind those that have come.
    wire [HANDLE_W-1:0] f_behind = f_place - f_of(f_taken_to, f_any);
    wire [HANDLE_W-1:0] f_beyond = f_place - f_of(f_come_to, f_any);
    wire [PLACE_W-1:0]  f_number = f_of(f_taken_to, f_any) + f_behind;
    wire [LINK_W-1:0]   f_near   = f_nears >> (((f_any << NEAR_W) + (f_number & (D - 1))) * LINK_W);

    // ---- All queues ---------------------------------------------------------------------------

    reg f_sized, f_fetched, f_counted;
    reg [READS_W+PLACE_W-1:0] f_sum;  // of what memory has taken and not answered
    integer f_q;
    always @* begin
        f_sized   = 1'b1;
        f_fetched = 1'b1;
        f_counted = 1'b1;
        f_sum     = 0;
        for (f_q = 0; f_q < N_QUEUE; f_q = f_q + 1) begin
            f_sized   = f_sized && f_of(f_sizes, f_q) <= ALL && (f_of(f_sizes, f_q) != 0) == f_some[f_q];
            f_fetched = f_fetched && f_of(f_heres, f_q) <= f_of(f_askeds, f_q);
            f_counted = f_counted && f_on[f_q] <= D
                && f_on[f_q] + (f_stands && link_queue_q == f_q) == f_of(f_askeds, f_q) - f_of(f_heres, f_q);
            f_sum     = f_sum + f_on[f_q];
        end
    end

    // A pick that missed, and since then neither an answer nor another.
    reg f_missed;
    always @(posedge clk) f_missed <= !rst_i && !answer && (missed || (f_missed && !begins));

    // The kernel in the link register has the last number of its queue that has been put, or asked for.
    wire [HANDLE_W-1:0] f_last_put   = f_of(f_put_to, link_queue_q) - 1'b1;
    wire [HANDLE_W-1:0] f_last_asked = f_of(f_taken_to, link_queue_q) + f_of(f_askeds, link_queue_q) - 1'b1;

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

    // What showed in the last cycle, and what was picked.
    reg f_held, f_stood, f_granted;
    reg [LINK_W-1:0] f_grant, f_picked;
    reg [QUEUE_W+HANDLE_W+LINK_W+1:0] f_request;
    always @(posedge clk) begin
        f_held    <= !rst_i && grant_valid_q && !grant_ready_i;
        f_granted <= !rst_i && picked;
        f_picked  <= first;
        f_grant   <= grant_q;
        f_stood   <= !rst_i && link_valid_q && !link_ready_i;
        f_request <= {link_write_q, link_queue_q, link_place_q, link_data_q, again_q};
    end
    always @* begin
        if (f_started) begin
            // Of each queue as many are picked as have been put.
            a_count : assert (f_waiting <= ALL && f_waiting == f_of(f_sizes, f_any));
            a_size  : assert (f_sized);
            a_full  : assert (!(f_put && act) || refused == (f_of(f_sizes, queue_q) == ALL));
            a_parts : assert (!act || (fits == (f_of(f_sizes, queue_q) < D) && over == (f_of(f_sizes, queue_q) > D)
                                       && single == (f_of(f_sizes, queue_q) == 1)));
            a_queue : assert (!(f_put || f_pick)
                              || (set_q < N_SM && level_q <= N_LEVEL && (level_q != 0 || set_q == 0)));
            a_found : assert (!act || (queue_q == set_q * N_LEVEL + level_q && some == ((f_some >> queue_q) & 1'b1)));
            a_read  : assert (!act || (read_put_q == f_of(f_put_to, queue_q)
                                       && read_taken_q == f_of(f_taken_to, queue_q)));

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
                a_some   : assert (!act || some);
                a_alone  : assert (!grant_valid_q);
                a_turn   : assert (level_q == 0 || !some_sets[f_set] || f_way(f_then, set_q) <= f_way(f_then, f_set));
                a_visit  : assert (level_q == 0 || f_now == set_q);
            end
            a_behind : assert (f_now < N_SM && f_then < N_SM && behind_q == f_above);

            a_again  : assert (!again_q || (link_valid_q && link_write_q));
            a_absent : assert (!f_missed || (absent_q && !f_pick));

            if (f_legal) begin
                // An answer counts if memory has taken a read that is not answered. After a pick that missed its kernel
                // none begins before the next answer.
                a_reads   : assert ({1'b0, reads_q} == {1'b0, f_all} + f_stands);
                a_answer  : assert (answer == (answer_valid_i && answer_queue_i < N_QUEUE && f_all != 0));
                a_missed  : assert (!(begins && f_missed && (f_all != 0 || f_stands)));

                // On chip are the first, as many as there is space for, or they are on their way.
                a_come    : assert (f_fetched);
                a_due     : assert (f_counted);
                a_sum     : assert (f_all == f_sum);
                a_coming  : assert (!f_some[f_any] || f_of(f_heres, f_any) != 0
                                    || f_on_any != 0 || (f_stands && link_queue_q == f_any));
                a_seen    : assert (!act || read_come_q - read_taken_q <= f_of(f_heres, queue_q));
                a_order   : assert (f_due == (f_beyond < f_on_any) && (!f_due || f_before == f_beyond));

                // What is asked of memory.
                if (link_valid_q) begin
                    a_place : assert (link_queue_q < N_QUEUE
                                      && link_place_q == (link_write_q ? f_last_put : f_last_asked));
                    a_away  : assert (f_of(f_heres, link_queue_q) < f_of(f_sizes, link_queue_q));
                    a_ahead : assert (!link_write_q || again_q == (f_of(f_sizes, link_queue_q) <= D));
                end
                a_written : assert (!f_asks || (f_in && f_wrote && !f_due));

                // First come, first served.
                a_in      : assert (f_in == (f_behind < f_of(f_sizes, f_any)) && (!f_in || f_front == f_behind));
                a_near    : assert (!(f_in && f_behind < f_of(f_heres, f_any)) || f_near == f_link);
                if (f_in && f_behind >= f_of(f_heres, f_any)) begin
                    if (link_valid_q && link_write_q && link_queue_q == f_any && link_place_q == f_place)
                        a_linked : assert (link_data_q == f_link);
                    else
                        a_word : assert (f_wrote && f_word == f_link);
                end
                if (f_leaves && read_taken_q[HANDLE_W-1:0] == f_place)
                    a_fcfs : assert (f_in && f_front == 0 && first == f_link);
            end

            // Nothing that shows is lost, and a grant shows once for each kernel that is picked.
            if (f_held)
                a_grant  : assert (grant_valid_q && grant_q == f_grant);
            else
                a_picked : assert (grant_valid_q == f_granted
                                   && (!grant_valid_q || grant_q == f_picked));
            if (f_stood)
                a_stands : assert (link_valid_q
                                   && f_request == {link_write_q, link_queue_q, link_place_q, link_data_q, again_q});

            if (!rst_i) begin
                // With more kernels on chip, or in a queue, these are many cycles away.
                c_follow : cover (f_leaves && f_legal && f_front == 0 && f_wrote && f_link != 0 || NEAR_W > 1);
                c_again  : cover (f_legal && again_q || NEAR_W > 1);
                c_missed : cover (f_legal && missed || NEAR_W > 1);
                c_full   : cover (f_legal && refused || HANDLE_W > 2);
                c_lower  : cover (picked && level_q != 0 && level_q < N_LEVEL || N_LEVEL == 1);
                c_turn   : cover (f_pick && f_then != f_last && level_q != 0 || N_SM == 1);
            end
        end
    end

endmodule

`default_nettype wire
