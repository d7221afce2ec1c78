#!/usr/bin/env bash
# What it must find: no quotes.
rm $1
