/*
 * cluster_port_oracle - the cluster's port by docs/units/cluster_port.md alone, on top of the
 * definitions of its two parts: what a request and a reply meet, one after the other.
 */

#ifndef CLUSTER_PORT_ORACLE_H
#define CLUSTER_PORT_ORACLE_H

#include "tb/units/coalesced_cache/coalesced_cache_oracle.h"
#include "tb/units/icc/icc_oracle.h"
#include "units/cluster_port.h"

struct cluster_port_oracle {
    struct coalesced_cache_oracle cache;
    struct icc_oracle table; /* last, so that copies may be short */
};

void cluster_port_oracle_reset(struct cluster_port_oracle *oracle);
void cluster_port_oracle_open(struct cluster_port_oracle *oracle,
                              const struct cluster_port_config *config);

/* ---- Comparison ---------------------------------------------------------------------- */

void cluster_port_oracle_check(const struct cluster_port_oracle *oracle,
                               const struct cluster_port *unit);

/* A cycle of the oracle and of the unit, whose outputs are compared. */
struct cluster_port_out cluster_port_oracle_beside(struct cluster_port_oracle *oracle,
                                                   struct cluster_port *unit,
                                                   const struct cluster_port_in *in);

#endif
