// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/result_schemas.h"

#include <string_view>

namespace klab::cli {

namespace {

constexpr std::string_view kSchemas = R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "Answers of klab commands with --format json. Fields are only added.",
  "anyOf": [
    { "$ref": "#/$defs/run" }, { "$ref": "#/$defs/error" }, { "$ref": "#/$defs/sweep" },
    { "$ref": "#/$defs/check" }, { "$ref": "#/$defs/list" }, { "$ref": "#/$defs/explain" },
    { "$ref": "#/$defs/version" }, { "$ref": "#/$defs/disk_export" }, { "$ref": "#/$defs/disk_dump" }
  ],
  "$defs": {
    "run": {
      "description": "klab run: one object for each run, each on a line of its own",
      "type": "object",
      "required": ["klab_result", "scenario", "title", "variant", "seed", "verdict",
                   "virtual_time_ns", "events", "trace_hash", "expect", "violations", "anomalies",
                   "stats", "wall_time_ns"],
      "properties": {
        "klab_result": { "const": 1 },
        "scenario": { "type": "string" },
        "title": { "type": "string" },
        "variant": { "type": "string" },
        "seed": { "type": "integer", "minimum": 0 },
        "verdict": { "enum": ["pass", "fail", "undecided"] },
        "why": { "type": "string" },
        "virtual_time_ns": { "type": "integer" },
        "events": { "type": "integer", "minimum": 0 },
        "trace_hash": { "type": "string", "pattern": "^[0-9a-f]{32}$" },
        "expect": { "type": "array", "items": {
          "type": "object",
          "required": ["that", "held", "value", "event", "why"],
          "properties": {
            "that": { "type": "string" },
            "held": { "type": ["boolean", "null"] },
            "value": {},
            "event": { "type": ["integer", "null"] },
            "why": { "type": "string" } } } },
        "violations": { "type": "array", "items": {
          "type": "object",
          "required": ["invariant", "statement", "allowed", "expected", "event", "time_ns", "node",
                       "detail"],
          "properties": {
            "invariant": { "type": "string" },
            "statement": { "type": "string" },
            "allowed": { "type": "boolean" },
            "expected": { "type": "boolean" },
            "event": { "type": ["integer", "null"] },
            "time_ns": { "type": "integer" },
            "node": { "type": "string" },
            "detail": { "type": "string" } } } },
        "anomalies": { "type": "array", "items": {
          "type": "object",
          "required": ["kind", "detail"],
          "properties": { "kind": { "type": "string" }, "detail": { "type": "string" } } } },
        "stats": { "type": "object", "additionalProperties": { "type": "integer" } },
        "notes": { "type": "array", "items": { "type": "string" } },
        "wall_time_ns": { "type": "integer" }
      }
    },
    "error": {
      "description": "klab run on a file that is no right scenario",
      "type": "object",
      "required": ["klab_error", "scenario", "diagnostics"],
      "properties": {
        "klab_error": { "const": 1 },
        "scenario": { "type": "string" },
        "diagnostics": { "type": "array", "items": { "$ref": "#/$defs/diagnostic" } } }
    },
    "diagnostic": {
      "type": "object",
      "required": ["file", "line", "column", "end", "code", "message", "suggestions", "rendered"],
      "properties": {
        "file": { "type": "string" },
        "line": { "type": "integer" },
        "column": { "type": "integer" },
        "end": { "type": "integer" },
        "code": { "type": "string" },
        "message": { "type": "string" },
        "suggestions": { "type": "array", "items": {
          "type": "object", "required": ["replace", "with"] } },
        "rendered": { "type": "string" } }
    },
    "sweep": {
      "description": "klab sweep: one object for each scenario or variant",
      "type": "object",
      "required": ["klab_sweep", "scenario", "title", "variant", "first_seed", "last_seed", "runs",
                   "passed", "distinct_hashes", "interrupted", "failing", "crashes"],
      "properties": {
        "klab_sweep": { "const": 1 },
        "scenario": { "type": "string" },
        "title": { "type": "string" },
        "variant": { "type": "string" },
        "first_seed": { "type": "integer" },
        "last_seed": { "type": "integer" },
        "runs": { "type": "integer" },
        "passed": { "type": "integer" },
        "distinct_hashes": { "type": "integer" },
        "interrupted": { "type": "boolean" },
        "failing": { "type": "array", "items": {
          "type": "object", "required": ["seed", "verdict", "why", "trace_hash", "rerun"] } },
        "crashes": { "type": "array", "items": {
          "type": "object", "required": ["seed", "what"] } } }
    },
    "check": {
      "description": "klab check",
      "type": "object",
      "required": ["klab_check", "files"],
      "properties": {
        "klab_check": { "const": 1 },
        "files": { "type": "array", "items": {
          "type": "object",
          "required": ["file", "ok", "diagnostics"],
          "properties": {
            "file": { "type": "string" },
            "ok": { "type": "boolean" },
            "diagnostics": {
              "type": "array", "items": { "$ref": "#/$defs/diagnostic" } } } } } }
    },
    "list": {
      "description": "klab list",
      "type": "object",
      "required": ["klab_list", "scenarios"],
      "properties": {
        "klab_list": { "const": 1 },
        "scenarios": { "type": "array", "items": {
          "type": "object", "required": ["file", "title", "theme", "lesson", "variants"] } } }
    },
    "explain": {
      "description": "klab explain",
      "type": "object",
      "required": ["klab_explain", "word", "known", "text"],
      "properties": {
        "klab_explain": { "const": 1 },
        "word": { "type": "string" },
        "known": { "type": "boolean" },
        "text": { "type": "string" } }
    },
    "version": {
      "description": "klab version",
      "type": "object",
      "required": ["klab_version", "klab", "scenario_format", "kafka"],
      "properties": {
        "klab_version": { "const": 1 },
        "klab": { "type": "string" },
        "scenario_format": { "const": 1 },
        "kafka": { "type": "array", "items": { "type": "string" } } }
    },
    "disk_export": {
      "description": "klab disk export",
      "type": "object",
      "required": ["klab_disk_export", "folder", "node", "files", "time_ns"],
      "properties": {
        "klab_disk_export": { "const": 1 },
        "folder": { "type": "string" },
        "node": { "type": "string" },
        "files": { "type": "integer" },
        "time_ns": { "type": "integer" } }
    },
    "disk_dump": {
      "description": "klab disk dump: one object a line for each thing found",
      "type": "object",
      "required": ["file", "kind"],
      "properties": {
        "file": { "type": "string" },
        "kind": { "enum": ["file", "skipped", "damage", "note", "gap", "log", "batch", "message",
                           "snapshot", "offset_index", "time_index", "aborted", "unwritten",
                           "checkpoint", "epoch", "producer", "line"] },
        "what": { "type": "string" },
        "why": { "type": "string" } }
    }
  }
}
)";

}  // namespace

std::string result_schemas_json() { return std::string(kSchemas); }

}  // namespace klab::cli
