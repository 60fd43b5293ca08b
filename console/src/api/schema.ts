// Generated from docs/reference/openapi.json by `npm run reference`; edits are overwritten.
export interface paths {
    "/api/v1/tools/{name}/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call a tool
         * @description Answers 200 with the result once the call has settled, with any status; a denied call is a 403 problem with its id. A call that waits, is queued or still runs answers 202 with its address in `Location`. A request refused before there is a call (unknown tool, invalid input, limits) is a problem without `callId`.
         *
         *     With `Accept: text/event-stream` the answer is a stream: `call` (the id), `call.output` as the tool yields or reports, `gap` when a slow reader missed some (`GET /api/v1/events?callId=…` has what was kept), `queued` when it runs after this answer, `waiting` when it waits for somebody, and last `result`. A reader that disconnects aborts its call, unless it sent `Prefer: respond-async` or an `Idempotency-Key`: then the call continues. Disconnecting from a plain request never aborts: the result is in the record.
         */
        post: operations["post-tools-name-calls"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/offer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what an agent is offered
         * @description The tools that this caller may call now, with their schemas, sorted by name: what SDKs make tools of. `ETag` is that of the whole offer: while it is the same, `If-None-Match` answers 304 and pages belong together.
         */
        get: operations["get-offer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tools/{name}/ask": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask whether a call would wait for a person
         * @description If a person has to be asked about this call, it is stored and waits: 202, with its approval. With an `Idempotency-Key` that was used before, the state of that call. 204 if nobody has to be asked, also because the request is invalid: calling reports why.
         */
        post: operations["post-tools-name-ask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what happened
         * @description A page of events, oldest first; it is shorter than `limit` where events are large, and then `hasMore` is true. `next` is always present: pass it as `after` in the next request, and no event is ever missed.
         *
         *     With `Accept: text/event-stream` it continues as a stream: each event under its type, with its id. A client that reconnects sends `Last-Event-ID` and continues from there. With `callId` the stream closes with `end` after the event that settles the call.
         */
        get: operations["get-events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Hear that something changed
         * @description A stream of short notices from now on: the type, time, principal, call and tool of each event, but never an input or an output. Request the details separately; access to them is checked there. With `audit.read`, everything in the tenant; without, your own calls, tools and skills, and approvals you may decide on. A client that reconnects sends `Last-Event-ID` to continue from there.
         */
        get: operations["get-changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List calls
         * @description Newest first.
         */
        get: operations["get-calls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one call
         * @description With `wait`, the response is sent when the call has settled, or after that many seconds with its current state.
         */
        get: operations["get-calls-id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a call
         * @description Aborts the tool if it is running. A settled call does not change.
         */
        post: operations["post-calls-id-cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls/{id}/rerun": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call the same tool again
         * @description A new call with the old input or a new one. The response is that of a tool call. With `from`, a composition in the version that the call ran: the results of steps that do not follow that step, directly or not, are taken from the call as they are; the step and all that follow run, and so does a step without a result. Needs `tools.call`.
         */
        post: operations["post-calls-id-rerun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls/{id}/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the steps of a composition
         * @description With the state of each. Empty for a call of any other tool. With `from`, each step has `runsAgain`, and the request fails if the call cannot run again from that step.
         */
        get: operations["get-calls-id-steps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls/{id}/artifact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a call's full output
         * @description Bytes from `offset`, with their place in `Content-Range`. With `Accept: application/json` the page comes as text in JSON, cut between characters, with the offset of the next page.
         */
        get: operations["get-calls-id-artifact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read whether a call can be undone
         * @description And until when. Policy is asked only when it is undone.
         */
        get: operations["get-calls-id-undo"];
        put?: never;
        /**
         * Undo a call
         * @description A new call with `undoes`: of the same tool, or of the one that its definition names. Policy decides about it as about any call, and it may wait for approval. A call is undone once; an undo that failed may be tried again. Calls of others need `calls.manage`. Needs `tools.call`.
         */
        post: operations["post-calls-id-undo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Make a test of a call
         * @description For the `tests` of a definition: the same input, the output generalised by type, and the outputs of nested calls with an effect given. Its label and input also make an example. Secrets are left out.
         */
        get: operations["get-calls-id-test"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/labels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List labels
         * @description The data that tools read and their effects, as set by the configuration and the tenant. The data-flow rule uses them. Needs `policy.read`.
         */
        get: operations["get-labels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/labels/{pattern}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a label of the tenant
         * @description Needs `policy.read`.
         */
        get: operations["get-labels-pattern"];
        /**
         * Create or replace a label
         * @description An omitted field states nothing. A tenant can add to the labels of the configuration but cannot remove from them. Needs `policy.write`.
         */
        put: operations["put-labels-pattern"];
        post?: never;
        /**
         * Delete a label of the tenant
         * @description Needs `policy.write`.
         */
        delete: operations["delete-labels-pattern"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session-flags/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the flags of a session
         * @description Whether it has read untrusted or private data, and the first call that did. Needs `policy.read`.
         */
        get: operations["get-session-flags-sessionId"];
        put?: never;
        post?: never;
        /**
         * Clear the flags of a session
         * @description For a person who has checked what the session has read. The event log records who cleared them. Needs `policy.write`.
         */
        delete: operations["delete-session-flags-sessionId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List limits with their heaviest users
         * @description Each includes its three heaviest users. Needs `usage.read` or `limits.manage`.
         */
        get: operations["get-limits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/limits/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a limit and page through who uses it
         * @description Needs `usage.read` or `limits.manage`.
         */
        get: operations["get-limits-name"];
        /**
         * Set a limit
         * @description Creates or replaces it, on every node within a second. Agents, keys and tools that it names must exist. Needs `limits.manage`.
         */
        put: operations["put-limits-name"];
        post?: never;
        /**
         * Delete a limit
         * @description Needs `limits.manage`.
         */
        delete: operations["delete-limits-name"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List schedules
         * @description Oldest first. Needs `schedules.manage` or `audit.read`.
         */
        get: operations["get-schedules"];
        put?: never;
        /**
         * Create a schedule
         * @description It runs with the caller's current permissions, limited by policy at the time of each run. Needs `schedules.manage` and `tools.call`.
         */
        post: operations["post-schedules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schedules/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview when a schedule would run
         * @description Interprets `when` like a new schedule and returns the next times. Stores nothing. Needs `schedules.manage` or `audit.read`.
         */
        post: operations["post-schedules-preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schedules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a schedule
         * @description Needs `schedules.manage` or `audit.read`.
         */
        get: operations["get-schedules-id"];
        put?: never;
        post?: never;
        /**
         * Delete a schedule with its history
         * @description Needs `schedules.manage`.
         */
        delete: operations["delete-schedules-id"];
        options?: never;
        head?: never;
        /**
         * Change, pause or resume a schedule
         * @description Omitted fields are unchanged. Changing the tool or input makes you the schedule's owner: it runs with your permissions from then on. Needs `schedules.manage`.
         */
        patch: operations["patch-schedules-id"];
        trace?: never;
    };
    "/api/v1/schedules/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a schedule now
         * @description Possible in any state and at any time. The response is sent once the call exists: see `callId`. Needs `schedules.manage`.
         */
        post: operations["post-schedules-id-run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schedules/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a schedule
         * @description Newest first. The last 1,000 runs are kept; their calls are kept like all calls. Needs `schedules.manage` or `audit.read`.
         */
        get: operations["get-schedules-id-runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the secrets that are set, and those that tools declare
         * @description Names, versions and the tools that use them. Values are never returned, except choices from a list that no tool declares sensitive. Needs `secrets.write`.
         */
        get: operations["get-secrets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secrets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set a secret
         * @description Needs `secrets.write`.
         */
        put: operations["put-secrets-name"];
        post?: never;
        /**
         * Delete a secret
         * @description Needs `secrets.write`.
         */
        delete: operations["delete-secrets-name"];
        options?: never;
        head?: never;
        /**
         * Change the notes on a secret
         * @description Changes its description and expiry, not its value. Omitted fields are unchanged; null removes one. Needs `secrets.write`.
         */
        patch: operations["patch-secrets-name"];
        trace?: never;
    };
    "/api/v1/secrets/{name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a secret
         * @description Runs the check that a tool or its pack provides on the stored value, for at most 10 seconds. Needs `secrets.write`.
         */
        post: operations["post-secrets-name-test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keyring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the master keys and what each one encrypts
         * @description Returns ids and counts, never a key. Only for the owner of the installation. Needs `secrets.write`.
         */
        get: operations["get-keyring"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keyring/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Re-encrypt everything with another master key
         * @description One bounded step while the server runs: repeat it with `resume` until `isDone`. It can be interrupted, and continued on any node.
         *
         *     Without `key`, the next key in the ring is used, or a new one is created and added to the keyring file. With several nodes, each needs the key first; the error names the nodes that lack it. Needs `secrets.write`.
         */
        post: operations["post-keyring-rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keyring/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a master key that is no longer used
         * @description Needs `secrets.write`.
         */
        delete: operations["delete-keyring-id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the audit log
         * @description Newest first, with the names of members and keys. A page that had to search many events may be short or empty and still have a `next`: pass it as `after` to continue. Needs `audit.read`.
         */
        get: operations["get-audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the audit log
         * @description Everything that matches, oldest first, up to now, streamed. To continue an interrupted export, pass the id of its last event as `after`; a CSV then has no header. An interrupted answer is incomplete. Needs `audit.read`.
         */
        get: operations["get-audit-export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify the audit log
         * @description Checks the chain of digests over the log, part by part: pass `next` as `after` until it is absent. `problems` lists each problem with its segment and the events around it. Needs `audit.read`.
         */
        get: operations["get-audit-verify"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Oldest first, without secrets. Visitors are listed with `parent` only. Needs `keys.manage`.
         */
        get: operations["get-keys"];
        put?: never;
        /**
         * Create an API key
         * @description The token appears only in this response: only its hash is stored. Needs `keys.manage`.
         */
        post: operations["post-keys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue a short-lived token for a visitor
         * @description For pages of your own site: your server requests it with its API key and passes the token to the page. The token gets the scopes you name, limited to those of the key. Conversations and calls belong to the visitor, so the next token for the same name finds them. The scopes of the newest token apply to all tokens of a visitor. Revoke the key, or the visitor’s own key, to end them.
         */
        post: operations["post-tokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check which tokens still work
         * @description For leaked tokens. Checking does not count as use. Keys of other tenants are `unknown`; a string that only looks like a key is `not_a_key`. Needs `keys.manage`.
         */
        post: operations["post-keys-check"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of an API key
         * @description The id, scopes and expiry are unchanged. The old secret stops at once, or keeps working for `overlapSeconds` so that you can replace it everywhere. Needs `keys.manage`.
         */
        post: operations["post-keys-id-rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description Needs `keys.manage`.
         */
        delete: operations["delete-keys-id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read usage figures
         * @description Settled calls by day (UTC): how they ended, how long they ran, how much they returned and what they cost. About a second behind. At most 1000 rows: days in order, everything else by number of calls. Needs `usage.read`.
         */
        get: operations["get-usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tool-usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read usage by tool
         * @description Every tool called in the last days: calls by day (UTC), how they ended and how long they ran. About a second behind. At most 1000 tools, most calls first. Needs `usage.read`.
         */
        get: operations["get-tool-usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tenants
         * @description Sorted by slug. Only for callers of the tenant `default`. Needs `tenants.manage`.
         */
        get: operations["get-tenants"];
        put?: never;
        /**
         * Create a tenant
         * @description It has no members yet: send `Toolcrib-Tenant` to act in it and add the first. Only for callers of the tenant `default`. Needs `tenants.manage`.
         */
        post: operations["post-tenants"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tenants/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a tenant
         * @description Only for callers of the tenant `default`. Needs `tenants.manage`.
         */
        get: operations["get-tenants-slug"];
        put?: never;
        post?: never;
        /**
         * Delete a tenant and all its data
         * @description This cannot be undone. The tenant is deleted at once; its data is removed in the background. Only for callers of the tenant `default`. Needs `tenants.manage`.
         */
        delete: operations["delete-tenants-slug"];
        options?: never;
        head?: never;
        /**
         * Rename, suspend or resume a tenant
         * @description While it is suspended every door answers 403 `tenant_suspended`. Queued calls stay queued and run when it is resumed. Only for callers of the tenant `default`. Needs `tenants.manage`.
         */
        patch: operations["patch-tenants-slug"];
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get who you are
         * @description The principal, tenant and permissions of this key or sign-in.
         */
        get: operations["get-me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List members
         * @description Sorted by when they joined. Needs `members.manage` or `audit.read`.
         */
        get: operations["get-members"];
        put?: never;
        /**
         * Add a member without an invitation
         * @description You must hold every permission that the member gets. Needs `members.manage`.
         */
        post: operations["post-members"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/names": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the names of members
         * @description Ids and names without addresses and roles, at most 500. Available to every signed-in member of the tenant; a key needs `members.manage` or `audit.read`.
         */
        get: operations["get-members-names"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a member
         * @description Needs `members.manage` or `audit.read`.
         */
        get: operations["get-members-id"];
        put?: never;
        post?: never;
        /**
         * Remove a member
         * @description This signs them out everywhere. Needs `members.manage`.
         */
        delete: operations["delete-members-id"];
        options?: never;
        head?: never;
        /**
         * Change, suspend or resume a member
         * @description Omitted fields are unchanged. Suspending signs them out everywhere. Only an owner can change owners, and the last owner stays one. Needs `members.manage`.
         */
        patch: operations["patch-members-id"];
        trace?: never;
    };
    "/api/v1/sign-ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List where you are signed in
         * @description Newest first.
         */
        get: operations["get-sign-ins"];
        put?: never;
        post?: never;
        /** Sign out everywhere */
        delete: operations["delete-sign-ins"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-ins/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Sign out one browser
         * @description It is signed out on every node.
         */
        delete: operations["delete-sign-ins-id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a one-time sign-in link
         * @description For an owner unless a member is named. It works once, for an hour. Needs `members.manage`.
         */
        post: operations["post-sign-in-links"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get your account */
        get: operations["get-account"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change your display name */
        patch: operations["patch-account"];
        trace?: never;
    };
    "/api/v1/account/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set your password
         * @description The current password is required unless you signed in with a link within the last hour. All your other sign-ins end.
         */
        put: operations["put-account-password"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List open invitations
         * @description Needs `members.manage`.
         */
        get: operations["get-invitations"];
        put?: never;
        /**
         * Invite somebody
         * @description The link is shown only in this response. It works once, for seven days. Needs `members.manage`.
         */
        post: operations["post-invitations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an invitation
         * @description Its link no longer works. Needs `members.manage`.
         */
        delete: operations["delete-invitations-id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List installed skills
         * @description Needs `skills.manage` or `agents.manage` or `policy.read`.
         */
        get: operations["get-skills"];
        put?: never;
        /**
         * Install a skill or a new version of one
         * @description The body is a zip of a folder with SKILL.md, of at most 5242880 bytes. Installing the same content again changes nothing. Agents keep the version they have. Needs `skills.manage`.
         */
        post: operations["post-skills"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/skills/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a skill with its versions, instructions and agents
         * @description Needs `skills.manage` or `agents.manage` or `policy.read`.
         */
        get: operations["get-skills-name"];
        put?: never;
        post?: never;
        /**
         * Remove a skill with all its versions
         * @description Needs `skills.manage`.
         */
        delete: operations["delete-skills-name"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{slug}/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the skills of an agent
         * @description Needs `skills.manage` or `agents.manage` or `policy.read`.
         */
        get: operations["get-agents-slug-skills"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{slug}/skills/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Give an agent a skill or another version of it
         * @description The tools that the skill requires become grants of the agent, held by `skill:<name>`. Grants that only the previous version held are removed. To go back, enable an older version. Needs `agents.manage`.
         */
        put: operations["put-agents-slug-skills-name"];
        post?: never;
        /**
         * Remove a skill from an agent
         * @description Needs `agents.manage`.
         */
        delete: operations["delete-agents-slug-skills-name"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agents
         * @description By slug. Needs `agents.manage` or `policy.read`.
         */
        get: operations["get-agents"];
        put?: never;
        /**
         * Create an agent
         * @description Unknown profiles and groups are refused, and so are settings for unknown tools. Needs `agents.manage`.
         */
        post: operations["post-agents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an agent with its grants
         * @description Needs `agents.manage` or `policy.read`.
         */
        get: operations["get-agents-slug"];
        put?: never;
        post?: never;
        /**
         * Delete an agent
         * @description With its grants, skills and secrets. Keys that are bound to it stop working. Needs `agents.manage`.
         */
        delete: operations["delete-agents-slug"];
        options?: never;
        head?: never;
        /**
         * Change an agent
         * @description Omitted fields are unchanged. Agents of the configuration can only be changed there (409). Needs `agents.manage`.
         */
        patch: operations["patch-agents-slug"];
        trace?: never;
    };
    "/api/v1/agents/{slug}/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Grant or deny a pattern
         * @description Their source is `manual`. Adding a grant twice has no further effect. Needs `agents.manage`.
         */
        post: operations["post-agents-slug-grants"];
        /**
         * Remove a grant
         * @description Refused while a skill holds it, and if the configuration declares it. Needs `agents.manage`.
         */
        delete: operations["delete-agents-slug-grants"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{slug}/tools/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Turn off one tool for an agent
         * @description Removes its own grant; if a wider grant remains, adds a deny. Needs `agents.manage`.
         */
        delete: operations["delete-agents-slug-tools-name"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/policies/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview the effect of changes
         * @description For every agent of the tenant, in pages. Nothing is saved. Needs `policy.read` or `policy.write`.
         */
        post: operations["post-policies-simulate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/policies/matches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count the tools that patterns match
         * @description Hidden tools count as well. A pattern that is malformed or names an unknown group has a `problem`. Needs `policy.read` or `policy.write` or `agents.manage` or `limits.manage`.
         */
        post: operations["post-policies-matches"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/policies/{kind}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tenant's documents of one kind
         * @description Policies set by the configuration for all tenants are not included. Needs `policy.read` or `policy.write`.
         */
        get: operations["get-policies-kind"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/policies/{kind}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Write a policy, a provider's level, a profile, a group or a pack's switch
         * @description `body` is a level `{ profile?, allow, deny }` for policy and provider, `{ allow, deny }` for a profile, a list of patterns for a group, `{ isOn }` for a pack. Applies on every node within a second. Needs `policy.write`.
         */
        put: operations["put-policies-kind-name"];
        post?: never;
        /**
         * Delete a document
         * @description Refused while an agent or a level uses it. Needs `policy.write`.
         */
        delete: operations["delete-policies-kind-name"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/catalogue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List present and former tools
         * @description Grants and settings that name a tool are kept for a while after it is removed. Needs `policy.read` or `policy.write`.
         */
        get: operations["get-catalogue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rules about reachable hosts
         * @description Needs `policy.read` or `policy.write`.
         */
        get: operations["get-network-rules"];
        /**
         * Replace all rules about reachable hosts
         * @description Within the tenant, `deny` wins, and the `allow` lists of rules add up; without any, every public host is open. Rules of an agent narrow those of the tenant, and those narrow the configuration. Applies on every node within a second. Needs `policy.write`.
         */
        put: operations["put-network-rules"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network-rules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set one rule about reachable hosts
         * @description Creates or replaces it, on every node within a second. Needs `policy.write`.
         */
        put: operations["put-network-rules-id"];
        post?: never;
        /**
         * Delete a rule about reachable hosts
         * @description Needs `policy.write`.
         */
        delete: operations["delete-network-rules-id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network-rules/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain whether a host can be reached
         * @description Each level with its verdict, and the rule that decided. Nothing is dialled. Needs `policy.read` or `policy.write`.
         */
        get: operations["get-network-rules-explain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network-rules/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview the effect of other rules
         * @description Compares the verdicts about every host that a rule names, and about any other host. Nothing is saved. Needs `policy.read` or `policy.write`.
         */
        post: operations["post-network-rules-preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List approvals
         * @description Newest first by default. Without `approvals.decide`, only the approvals of your own calls.
         */
        get: operations["get-approvals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approvals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one approval */
        get: operations["get-approvals-id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approvals/{id}/decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve or reject a call
         * @description An approved call runs once, on any node, with the input given here or its own. The tool, the input and policy are checked again first: if one of them no longer allows the call, the decision is refused and the approval stays pending. Needs `approvals.decide`.
         */
        post: operations["post-approvals-id-decision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approvals/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide on several approvals
         * @description Each gets its own result: a refused decision does not stop the others. Needs `approvals.decide`.
         */
        post: operations["post-approvals-decisions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approval-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List remembered approvals
         * @description Rules that apply now, newest first. Needs `approvals.decide` or `audit.read`.
         */
        get: operations["get-approval-rules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approval-rules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a remembered approval
         * @description Calls that it covered need approval again from now on. Needs `approvals.decide`.
         */
        delete: operations["delete-approval-rules-id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List questions
         * @description Newest first by default. Without `approvals.decide`, only questions that are put to you or asked by your own calls.
         */
        get: operations["get-questions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a question */
        get: operations["get-questions-id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/{id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a question
         * @description The answer becomes the output of the call that asked. The first answer counts.
         */
        post: operations["post-questions-id-answer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/{id}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline to answer a question
         * @description The call that asked fails with the reason.
         */
        post: operations["post-questions-id-decline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/questions/{id}/reassign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put a question to other people
         * @description Replaces everybody who was asked before. Needs `approvals.decide`.
         */
        post: operations["post-questions-id-reassign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tools this caller sees
         * @description Sorted by name. Tools that are hidden from the caller are not listed; `GET /api/v1/explain` shows why. Needs `tools.call`.
         */
        get: operations["get-tools"];
        put?: never;
        /**
         * Create a tool from a document
         * @description As a draft of your own, or, with `publish`, in force on every node within a second. A name that another tool has is refused (`name_taken`). Needs `tools.author`.
         */
        post: operations["post-tools"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tool-counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the tools this caller sees
         * @description How many fit, the packs with all that the caller sees of each, and how many are kept from the caller. Needs `tools.call`.
         */
        get: operations["get-tool-counts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tool-files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tool files that do not load
         * @description With line and reason. Tools of a file that stopped loading stay as they were until it is fixed. Files belong to the default tenant; for others the list is empty. Needs `tools.approve`.
         */
        get: operations["get-tool-files"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tools/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one tool
         * @description With schemas, examples, the fields of a form for its input, and what each model provider would refuse or lose of them. Needs `tools.call`.
         */
        get: operations["get-tools-name"];
        put?: never;
        post?: never;
        /**
         * Remove an authored tool or an override
         * @description Its versions stay, and can be restored. Calls that are running end normally. Needs `tools.author`.
         */
        delete: operations["delete-tools-name"];
        options?: never;
        head?: never;
        /**
         * Enable, disable or override a tool
         * @description For the whole tenant. Facts of a tool of others can be reworded, and made stricter: a higher effect, approval, a shorter timeout. The answer lists its users. Needs `tools.author`.
         */
        patch: operations["patch-tools-name"];
        trace?: never;
    };
    "/api/v1/tool-search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the tools this caller may use
         * @description Ranked full text over names, titles, descriptions, inputs and examples; the best first. Beginnings of words and small slips are forgiven. Needs `tools.call`.
         */
        get: operations["get-tool-search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tool-estimate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Estimate what the tools take of a model
         * @description About how many tokens the definitions take if all are listed, and if the caller has to search. A token is counted as four bytes of JSON. Needs `tools.call`.
         */
        get: operations["get-tool-estimate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tools/{name}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show what a call would do
         * @description Without doing it: the preview of a tool only reads. It needs no approval, is recorded as a call with `purpose: preview`, and counts against the limits of the tool. Needs `tools.call`.
         */
        post: operations["post-tools-name-preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tool-tests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tests of tools
         * @description Those in the definitions of tools that this caller may call, by tool. Needs `tools.call`.
         */
        get: operations["get-tool-tests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tools/{name}/tests/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a tool's tests
         * @description The tests in its definition. Nothing it does through its context has an effect: nested calls with an effect are answered by `given`, or refused. Each is recorded as a call with `purpose: test`, and left out of usage and limits. Needs `tools.call`.
         */
        post: operations["post-tools-name-tests-run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/evals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List evals
         * @description Those of tools that this caller may call, and those of agents. Needs `agents.chat` and `tools.call`.
         */
        get: operations["get-evals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/evals/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run evals
         * @description Gives the requests in the definition of a tool or an agent to a model, with the agent's instructions and tools, and compares the calls that it makes with the expected ones. Nothing has an effect: tools are answered by `given`, reads run, and calls with an effect are previewed or refused. Nothing waits for approval. Reads are recorded as calls with `purpose: test`. Limits do not count them, budgets count the cost of the model. Ends when the request does. Needs `agents.chat` and `tools.call`.
         */
        post: operations["post-evals-run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/authored-tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List authored tools and overrides
         * @description By name: tools that are documents, then changes to tools of others. Needs `tools.author`.
         */
        get: operations["get-authored-tools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tools/{name}/source": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the document of a tool
         * @description The version in force, your draft, who else has one, and all its findings. For a tool of others: the facts that this tenant changed. Needs `tools.author`.
         */
        get: operations["get-tools-name-source"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tool-drafts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List drafts of tools
         * @description Of all authors, by tool. Needs `tools.author`.
         */
        get: operations["get-tool-drafts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tools/{name}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Save your draft of a tool
         * @description Each author has a draft of their own. It may have errors, which are returned; only publishing requires that there are none. Needs `tools.author`.
         */
        put: operations["put-tools-name-draft"];
        post?: never;
        /**
         * Delete your draft of a tool
         * @description Needs `tools.author`.
         */
        delete: operations["delete-tools-name-draft"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tools/{name}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish your draft of a tool
         * @description It is in force on every node within a second. Calls that are running end with the version they began with. Refused with `conflict` if the tool has changed since the draft began. Needs `tools.author`.
         */
        post: operations["post-tools-name-publish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tools/preview-source": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a document without keeping it
         * @description All findings, the effect it would have, the difference from the version in force, and which agents would see it or have to ask. Needs `tools.author`.
         */
        post: operations["post-tools-preview-source"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tools/{name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try your draft of a tool
         * @description Runs the draft with this input, as you or as an agent. Reads run; calls with an effect are not made, but previewed. With `real` they are made, under policy like any other, and each of them waits for your approval first: the call of the draft then waits too, and continues like any other. It is recorded as a call with `purpose: test` unless it is real. Needs `tools.author`.
         */
        post: operations["post-tools-name-test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tools/{name}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a tool
         * @description The latest first. Removed tools keep theirs. Needs `tools.author`.
         */
        get: operations["get-tools-name-versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tools/{name}/versions/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a version of a tool
         * @description Needs `tools.author`.
         */
        get: operations["get-tools-name-versions-hash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tools/{name}/versions/{hash}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put an earlier version of a tool in force
         * @description It is checked like any document that is published, because tools that it names may have been removed. A removed tool exists again. Needs `tools.author`.
         */
        post: operations["post-tools-name-versions-hash-restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tools/from": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Draft a tool from a cURL command, or from calls on record
         * @description Of a command, ids and values become inputs, its credentials named secrets. Of a record, the calls that led to the result become the steps of a composition: values from earlier outputs become references, those that people named become inputs, and the draft is replayed against the record. Values that the record hides become inputs. Nothing is kept: create the tool with the document. Needs `tools.author`.
         */
        post: operations["post-tools-from"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain why each tool is visible or hidden
         * @description Every tool with every layer's verdict, who made the rule and what would change it; the first layer that stops it decides. Viewing as someone else, or with a session's flags, needs policy.read. Needs `tools.call` or `policy.read`.
         */
        get: operations["get-explain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/explain/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain why a request was refused or how a call was decided
         * @description For the `refusalId` of a `tool_not_found` and for the id of a call: what was decided then, what would be decided now for the same caller, and the difference. Without policy.read it is 404.
         */
        get: operations["get-explain-id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{slug}/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tools of an agent with its access to them
         * @description Includes hidden tools. Each has the first rule that decided. `GET /explain` has every layer. Needs `policy.read`.
         */
        get: operations["get-agents-slug-tools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/policy-words": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the profiles, groups and packs that policy may name
         * @description The built-in ones, those of the configuration and those of the tenant. Needs `policy.read` or `policy.write` or `agents.manage`.
         */
        get: operations["get-policy-words"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the settings of this server
         * @description Settings of the configuration: retention, sign-in methods, roles. No secrets. Needs `members.manage` or `keys.manage` or `audit.read`.
         */
        get: operations["get-settings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mcp-servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List MCP servers and their status
         * @description Needs `mcp.manage` or `tools.approve` or `policy.read`.
         */
        get: operations["get-mcp-servers"];
        put?: never;
        /**
         * Add an MCP server
         * @description Its tools appear as `mcp:<name>:<tool>`. Only owners and admins of the default tenant can add programs (`command`), and only if the configuration allows it. Needs `mcp.manage`.
         */
        post: operations["post-mcp-servers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mcp-servers/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one MCP server
         * @description Needs `mcp.manage` or `tools.approve` or `policy.read`.
         */
        get: operations["get-mcp-servers-name"];
        put?: never;
        post?: never;
        /**
         * Remove an MCP server with its pins and sign-ins
         * @description Needs `mcp.manage`.
         */
        delete: operations["delete-mcp-servers-name"];
        options?: never;
        head?: never;
        /**
         * Change an MCP server
         * @description Fields in the request replace the previous ones; null removes one. Needs `mcp.manage`.
         */
        patch: operations["patch-mcp-servers-name"];
        trace?: never;
    };
    "/api/v1/mcp-servers/{name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test an MCP server
         * @description Connects, lists the tools, and reports problems with their fix; changes nothing. With `server` in the body, tests a server that has not been added. Needs `mcp.manage`.
         */
        post: operations["post-mcp-servers-name-test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mcp-servers/{name}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Connect to an MCP server now and list its tools again
         * @description With `restart`, its processes, connections and running calls are ended first: on all nodes, or only on this one if the configuration declares it. Needs `mcp.manage`.
         */
        post: operations["post-mcp-servers-name-refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mcp-servers/{name}/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tools of an MCP server, with why some are not in use
         * @description A quarantined tool is listed with its differences from the accepted definition. Needs `mcp.manage` or `tools.approve` or `policy.read`.
         */
        get: operations["get-mcp-servers-name-tools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mcp-servers/{name}/tools/{tool}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a tool as it is now
         * @description Needs `tools.approve`.
         */
        post: operations["post-mcp-servers-name-tools-tool-accept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mcp-servers/{name}/tools/{tool}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Quarantine a tool until someone accepts it
         * @description Needs `tools.approve`.
         */
        post: operations["post-mcp-servers-name-tools-tool-reject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mcp-servers/{name}/tools/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept and reject many tools
         * @description Each tool as it was reviewed: one that has changed again, or no longer exists, is not changed but reported, and does not affect the others. Repeating the request is safe. Needs `tools.approve`.
         */
        post: operations["post-mcp-servers-name-tools-decisions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mcp-servers/{name}/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start signing in to an MCP server
         * @description Open `url` in a browser. It works once, and only for the sign-in or key that started it. Signing in for the whole tenant needs `mcp.manage`. Needs `tools.call` or `mcp.manage`.
         */
        post: operations["post-mcp-servers-name-authorize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mcp-servers/{name}/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sign-ins to an MCP server
         * @description Your own; all of them with `mcp.manage`. Tokens are never included. Needs `tools.call` or `mcp.manage`.
         */
        get: operations["get-mcp-servers-name-connections"];
        put?: never;
        post?: never;
        /**
         * Sign out of an MCP server
         * @description Needs `tools.call` or `mcp.manage`.
         */
        delete: operations["delete-mcp-servers-name-connections"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/apis": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List imported APIs
         * @description Needs `apis.manage` or `tools.approve` or `policy.read`.
         */
        get: operations["get-apis"];
        put?: never;
        /**
         * Import an API from an OpenAPI or Swagger document
         * @description Its operations appear as `api:<name>:<operation>`. Secrets are named, never given: the host of `server` gets them, and no other. Needs `apis.manage`.
         */
        post: operations["post-apis"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/apis/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read an OpenAPI or Swagger document without keeping it
         * @description Lists the operations that would become tools, with their problems. Pass `hash` on to `POST /apis`, which then refuses a document that has changed. Needs `apis.manage`.
         */
        post: operations["post-apis-preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/apis/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one imported API
         * @description Needs `apis.manage` or `tools.approve` or `policy.read`.
         */
        get: operations["get-apis-name"];
        put?: never;
        post?: never;
        /**
         * Remove an imported API with its tools
         * @description Needs `apis.manage`.
         */
        delete: operations["delete-apis-name"];
        options?: never;
        head?: never;
        /**
         * Change the settings of an imported API
         * @description Fields in the request replace the previous ones; null removes one. Needs `apis.manage`.
         */
        patch: operations["patch-apis-name"];
        trace?: never;
    };
    "/api/v1/apis/{name}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the document of an API again
         * @description New operations are available at once. Changed ones are quarantined until somebody accepts them. Tools of removed operations disappear. Needs `apis.manage`.
         */
        post: operations["post-apis-name-refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/apis/{name}/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the operations of an API, with why some are not in use
         * @description A quarantined one is listed with its differences from the accepted definition. Needs `apis.manage` or `tools.approve` or `policy.read`.
         */
        get: operations["get-apis-name-tools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/apis/{name}/tools/{tool}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an operation as it is now
         * @description Needs `tools.approve`.
         */
        post: operations["post-apis-name-tools-tool-accept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/apis/{name}/tools/{tool}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Quarantine an operation until someone accepts it
         * @description Needs `tools.approve`.
         */
        post: operations["post-apis-name-tools-tool-reject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/apis/{name}/tools/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept and reject many operations
         * @description Each as it was reviewed: one that has changed again, or no longer exists, is not changed but reported, and does not affect the others. Repeating the request is safe. Needs `tools.approve`.
         */
        post: operations["post-apis-name-tools-decisions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/apis/{name}/tools/{tool}/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn an operation into a document of your own
         * @description An HTTP tool that sends the same request, to be changed freely. The imported operation stays as it is. Nothing is kept: create the tool with the document. Needs `tools.author`.
         */
        post: operations["post-apis-name-tools-tool-document"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List uploaded files
         * @description Your own, newest first; with `audit.read`, those of everybody.
         */
        get: operations["get-uploads"];
        put?: never;
        /**
         * Upload a file for a tool
         * @description The body is the file itself, with its own content type. The answer has a `uri`: pass it as the value of a file field of a call. A file that no call uses is deleted after `uploads.keepHours`; a used one is kept as long as its call, and one that a schedule names as long as the schedule. Needs `tools.call`.
         */
        post: operations["post-uploads"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/uploads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the facts of an upload
         * @description Your own; with `audit.read`, of everybody.
         */
        get: operations["get-uploads-id"];
        put?: never;
        post?: never;
        /**
         * Delete an uploaded file
         * @description Calls that name it no longer find it: a waiting one fails, and none can be run again with it. To delete somebody else's, you need `calls.manage`.
         */
        delete: operations["delete-uploads-id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/uploads/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download an uploaded file */
        get: operations["get-uploads-id-content"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workspaces
         * @description Newest first. Your own; with `workspaces.read`, of everybody.
         */
        get: operations["get-workspaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a workspace
         * @description Your own; with `workspaces.read`, of everybody.
         */
        get: operations["get-workspaces-id"];
        put?: never;
        post?: never;
        /**
         * Delete a workspace with its files
         * @description Its session gets an empty one when it next uses files. Needs `workspaces.write`.
         */
        delete: operations["delete-workspaces-id"];
        options?: never;
        head?: never;
        /**
         * Change the mode of a workspace
         * @description It applies to calls that begin a second later, on every server. If it allows less than before, the background processes on this server end. Needs `workspaces.write`.
         */
        patch: operations["patch-workspaces-id"];
        trace?: never;
    };
    "/api/v1/workspaces/{id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files of a workspace
         * @description Each folder before what is in it, by name. Your own; with `workspaces.read`, of everybody.
         */
        get: operations["get-workspaces-id-files"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what has changed in a workspace
         * @description Since it was created, or since its files were last accepted. Files that people put there do not count. Your own; with `workspaces.read`, of everybody.
         */
        get: operations["get-workspaces-id-changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept the changes in a workspace
         * @description Later changes are shown against what its files are now. Needs `workspaces.write`.
         */
        post: operations["post-workspaces-id-accept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file of a workspace
         * @description Of your own workspace; with `workspaces.read`, of any.
         */
        get: operations["get-workspaces-id-file"];
        /**
         * Put a file into a workspace
         * @description The body is the file itself. It replaces a file of this path as a whole. In your own workspace with `tools.call`; with `workspaces.write`, in any. Refused with `denied` while it is read-only.
         */
        put: operations["put-workspaces-id-file"];
        post?: never;
        /**
         * Delete a file or folder of a workspace
         * @description In your own workspace with `tools.call`; with `workspaces.write`, in any. Refused with `denied` while it is read-only.
         */
        delete: operations["delete-workspaces-id-file"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{id}/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put an uploaded file into a workspace
         * @description Under its own name it replaces no other file: a name that is taken gets a number. In your own workspace with `tools.call`; with `workspaces.write`, in any. Refused with `denied` while it is read-only.
         */
        post: operations["post-workspaces-id-uploads"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a workspace as a zip
         * @description Links and special files are left out. Of your own workspace; with `workspaces.read`, of any.
         */
        get: operations["get-workspaces-id-archive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conversations/{id}/files/{file}/copy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copy a file of a conversation into its workspace
         * @description Of your own conversation. It replaces no other file: a name that is taken gets a number. A conversation without a workspace gets one. Needs `agents.chat` and `tools.call`.
         */
        post: operations["post-conversations-id-files-file-copy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/chat/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the agents you can chat with
         * @description By name. Agents that cannot answer now have the reason. Needs `agents.chat`.
         */
        get: operations["get-chat-agents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List conversations
         * @description Newest first; your own, or with `audit.read` everybody's. Needs `agents.chat`.
         */
        get: operations["get-conversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conversations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a conversation
         * @description Messages in order, in the AI SDK's format, and pending approvals. `next` is the `after` of the next page. Needs `agents.chat`.
         */
        get: operations["get-conversations-id"];
        put?: never;
        post?: never;
        /**
         * Delete a conversation
         * @description Also deletes its messages, runs and files. The records of its calls are kept. Needs `agents.chat`.
         */
        delete: operations["delete-conversations-id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conversations/{id}/files/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a file of a conversation
         * @description Needs `agents.chat`.
         */
        get: operations["get-conversations-id-files-file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{slug}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set an agent a task
         * @description The response is sent once the run is stored. The run continues, even across a restart. Needs `agents.chat` and `tools.call`.
         */
        post: operations["post-agents-slug-runs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runs
         * @description Every turn of an agent, including chats, newest first. Needs `agents.chat`.
         */
        get: operations["get-runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a run
         * @description Needs `agents.chat`.
         */
        get: operations["get-runs-id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a run
         * @description Also cancels the calls it waits for and the sub-agents it has started. Needs `agents.chat`.
         */
        post: operations["post-runs-id-cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a backup of the embedded store, and of workspaces
         * @description A tar archive with the records of all tenants as they are now, taken while the server runs; `toolcrib restore` turns it into a data folder. It does not contain the master key.
         *
         *     Only for the owner of the installation. If the records are in PostgreSQL, use `pg_dump` for them: the request is refused without `workspaces`, and with it the archive has the files of workspaces alone.
         */
        post: operations["post-backup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show whether the sandbox holds
         * @description Of the server that answers. Tools that run programs are off until their sandbox has been checked: a program inside tries to get out, in each way listed. Needs `audit.read`.
         */
        get: operations["get-sandbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check the sandbox again
         * @description After something was installed or changed on the server. Needs `calls.manage`.
         */
        post: operations["post-sandbox-check"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{id}/processes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the background processes of a workspace
         * @description Those of the server that answers: the ones that run, and the last fifty that have ended.
         */
        get: operations["get-workspaces-id-processes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{id}/processes/{pid}/output": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what a background process has written
         * @description The end of each stream is kept; `dropped` counts what is missing before `offset`.
         */
        get: operations["get-workspaces-id-processes-pid-output"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{id}/processes/{pid}/kill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a background process
         * @description Without a signal: SIGTERM, and SIGKILL two seconds later.
         */
        post: operations["post-workspaces-id-processes-pid-kill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/skills/{name}/files/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a file of a skill */
        get: operations["get-skills-name-files-path"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{slug}/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Talk to an agent
         * @description The protocol of `useChat` with `DefaultChatTransport`. A new `id` begins a conversation; the stored one is the truth, so of `messages` only the last counts. Needs `agents.chat`.
         *
         *     Where a call waits for a person the stream ends with `tool-approval-request`; answer with the approval response in the last message, or with `approvals`, or at `/approvals`. While a turn is under way, or waits, other messages are refused with `conversation_busy`. Hanging up does not stop the turn: `POST /runs/{id}/cancel` does.
         */
        post: operations["post-agents-slug-chat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{slug}/chat/{conversation}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read along again
         * @description The turn under way from its beginning, and then what comes, on whichever node it runs. 204 when nothing runs.
         */
        get: operations["get-agents-slug-chat-conversation-stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a call from outside
         * @description For the worker that runs a tool with `execution: external`. The first report counts: sending the same twice answers 202, then 409.
         *
         *     A body of any other content type is a file: the call is completed with it, the file is its artifact and the output refers to it (`?status=completed` is allowed).
         */
        post: operations["post-calls-id-complete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls/{id}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report progress from outside
         * @description Recorded as `call.output` events, thinned out like those of tools. 409 means: stop, nobody waits for it any more.
         */
        post: operations["post-calls-id-progress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a password
         * @description For browsers; programs send an API key. This ends the sign-in that the browser had before.
         */
        post: operations["post-sign-in"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign out on this browser */
        post: operations["post-sign-out"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description Adds the member, sets the password and signs in. The link works once.
         */
        post: operations["post-invitations-accept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How to get a token for MCP
         * @description RFC 9728: which authorization servers issue tokens for the MCP endpoint, and with which scopes. Without `authorization_servers` only API keys are taken.
         */
        get: operations["get-well-known-oauth-protected-resource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The same, at the address that belongs to /mcp
         * @description RFC 9728: which authorization servers issue tokens for the MCP endpoint, and with which scopes. Without `authorization_servers` only API keys are taken.
         */
        get: operations["get-well-known-oauth-protected-resource-mcp"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource/mcp/{agent}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How to get a token for the MCP endpoint of one agent
         * @description RFC 9728: which authorization servers issue tokens for the MCP endpoint, and with which scopes. Without `authorization_servers` only API keys are taken.
         */
        get: operations["get-well-known-oauth-protected-resource-mcp-agent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource/mcp/servers/{server}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How to get a token for one MCP server behind this one
         * @description RFC 9728: which authorization servers issue tokens for the MCP endpoint, and with which scopes. Without `authorization_servers` only API keys are taken.
         */
        get: operations["get-well-known-oauth-protected-resource-mcp-servers-server"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Is the process alive? */
        get: operations["get-healthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Is it ready for requests?
         * @description 503 while a part fails and while the server drains before it stops.
         */
        get: operations["get-readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Numbers for Prometheus
         * @description Open where the server listens on a loopback address without a proxy. Else it asks for the configured token, or for a key with `audit.read`, as a Bearer token.
         */
        get: operations["get-metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The shape of every call's result. */
        CallResult: {
            callId: string;
            /** @enum {string} */
            status: "queued" | "running" | "waiting" | "completed" | "failed" | "denied" | "cancelled";
            output?: components["schemas"]["Json"];
            error?: components["schemas"]["CallError"];
            artifact?: components["schemas"]["ArtifactReference"];
            warnings?: string[];
            /**
             * @description For a waiting call, the reason: a person, an external worker, or a nested call
             * @enum {string}
             */
            waitingFor?: "approval" | "external" | "call";
            /** @description For a call that needs approval: the approval to decide */
            approvalId?: string;
        };
        /** @description Any JSON value. */
        Json: unknown;
        CallError: {
            /** @enum {string} */
            code: "tool_not_found" | "invalid_input" | "invalid_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "body_too_large" | "unsupported_media_type" | "idempotency_mismatch" | "already_settled" | "already_decided" | "conflict" | "sign_in_failed" | "tenant_suspended" | "rate_limited" | "conversation_busy" | "shutting_down" | "denied" | "approval_required" | "cannot_wait" | "group_closed" | "approval_rejected" | "preview_changed" | "not_undoable" | "approval_expired" | "timeout" | "cancelled" | "interrupted" | "replay_diverged" | "outcome_unknown" | "upstream_failed" | "client_unable" | "sign_in_required" | "model_failed" | "tool_failed" | "tool_crashed" | "output_invalid" | "secret_missing" | "budget_exceeded" | "quota_exceeded" | "sandbox_unavailable" | "workspace_unavailable" | "call_too_deep" | "invalid_tool" | "invalid_schema" | "name_taken" | "invalid_config" | "invalid_policy" | "invalid_skill" | "record_failed" | "store_unavailable" | "data_locked" | "data_read_only" | "data_newer" | "data_damaged" | "wrong_master_key" | "server_unreachable" | "internal";
            message: string;
            retryable: boolean;
            issues?: components["schemas"]["Issue"][];
            /** @description How the caller can fix it */
            fix?: string;
            /** @description When the limit has capacity again */
            retryAfterMs?: number;
            /** @description For `tool_not_found`: GET /api/v1/explain/{id} shows the reason to callers with policy.read */
            refusalId?: string;
        };
        Issue: {
            /**
             * @description JSON pointer into the input
             * @example /invoiceId
             */
            path: string;
            message: string;
        };
        /** @description The full output of a call whose result was truncated. Read it in pages. */
        ArtifactReference: {
            id: string;
            bytes: number;
            mediaType: string;
        };
        /** @description RFC 9457 problem details, with our code and fix. */
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "tool_not_found" | "invalid_input" | "invalid_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "body_too_large" | "unsupported_media_type" | "idempotency_mismatch" | "already_settled" | "already_decided" | "conflict" | "sign_in_failed" | "tenant_suspended" | "rate_limited" | "conversation_busy" | "shutting_down" | "denied" | "approval_required" | "cannot_wait" | "group_closed" | "approval_rejected" | "preview_changed" | "not_undoable" | "approval_expired" | "timeout" | "cancelled" | "interrupted" | "replay_diverged" | "outcome_unknown" | "upstream_failed" | "client_unable" | "sign_in_required" | "model_failed" | "tool_failed" | "tool_crashed" | "output_invalid" | "secret_missing" | "budget_exceeded" | "quota_exceeded" | "sandbox_unavailable" | "workspace_unavailable" | "call_too_deep" | "invalid_tool" | "invalid_schema" | "name_taken" | "invalid_config" | "invalid_policy" | "invalid_skill" | "record_failed" | "store_unavailable" | "data_locked" | "data_read_only" | "data_newer" | "data_damaged" | "wrong_master_key" | "server_unreachable" | "internal";
            retryable: boolean;
            requestId: string;
            instance?: string;
            callId?: string;
            issues?: components["schemas"]["Issue"][];
            fix?: string;
            /** @description As `Retry-After`, in milliseconds */
            retryAfterMs?: number;
            /** @description For `tool_not_found`: GET /api/v1/explain/{id} shows the reason to callers with policy.read */
            refusalId?: string;
        };
        CallRequest: {
            /** @description The tool's input; `{}` when left out */
            input?: unknown;
            /** @description Call as this agent */
            agent?: string;
            /** @description A skill of the agent that is in force: its permissions narrow */
            skill?: string;
            /** @description The conversation this call belongs to */
            sessionId?: string;
            /** @description Stop after this long; never longer than the tool's own limit */
            timeoutMs?: number;
            /** @description Queue it; among queued calls a higher one goes first. 0 by default */
            priority?: number;
            /** @description Queue it, to start so many seconds from now */
            delay?: number;
        };
        OfferedTool: {
            name: string;
            /** @description What models call it */
            wireName: string;
            title: string;
            description: string;
            icon?: string;
            /** @description Pictures that another server gives it, by their addresses */
            icons?: {
                src: string;
                mimeType?: string;
                sizes?: string[];
                /** @enum {string} */
                theme?: "light" | "dark";
            }[];
            /** @enum {string} */
            effect: "read" | "write" | "destructive";
            idempotent: boolean;
            openWorld: boolean;
            pack: string;
            /** @enum {string} */
            source: "builtin" | "code" | "authored" | "gateway" | "api" | "agent";
            inputSchema: {
                [key: string]: unknown;
            };
            outputSchema?: {
                [key: string]: unknown;
            };
            examples: {
                label: string;
                input?: components["schemas"]["Json"];
            }[];
            /** @enum {string} */
            execution: "inline" | "background" | "external";
            timeoutMs: number;
            /** @description A call of it waits for a person */
            asks: boolean;
            /** @description A call of it may wait for a person: ask first whether it will */
            mayAsk: boolean;
        };
        Event: {
            /** @description An opaque cursor: pass it as `after` to continue */
            id: string;
            /** @description Number within its call, from 1, without gaps */
            seq: number;
            /** Format: date-time */
            at: string;
            tenant: string;
            callId?: string;
            sessionId?: string;
            agent?: string;
            principal: components["schemas"]["Principal"];
        } & components["schemas"]["EventFact"];
        Principal: {
            /** @enum {string} */
            kind: "user" | "key" | "agent" | "worker" | "embed" | "system";
            id: string;
        };
        /** @description The data of the event, by its type. An event of an earlier version may lack fields. */
        EventFact: {
            /** @enum {string} */
            type: "call.requested";
            data: {
                /** @description The name of the tool */
                tool: string;
                /**
                 * @description What the tool does
                 * @enum {string}
                 */
                effect: "read" | "write" | "destructive";
                /**
                 * @description The origin of the call
                 * @enum {string}
                 */
                runtime: "chat" | "task" | "subagent" | "room" | "webhook" | "api" | "web" | "mcp" | "cli";
                /** @description The policy decision; with layer and rule unless it plainly allows */
                decision: {
                    /**
                     * @description The decision
                     * @enum {string}
                     */
                    verdict: "allow" | "ask" | "deny";
                    /** @description The policy layer that decided */
                    layer?: string;
                    /** @description Its rule */
                    rule?: string;
                };
                /** @description The input, if it is small */
                input?: unknown;
                /** @description The size of the input, if it is large */
                inputBytes?: number;
                /** @description The principal for whom the caller acts, as `kind:id` */
                onBehalfOf?: string;
                /** @description The call that made it */
                parentId?: string;
                /**
                 * @description Why the call has no effect; it is left out of usage figures
                 * @enum {string}
                 */
                purpose?: "preview" | "test";
                /** @description The call that it undoes */
                undoes?: string;
                /** @description The call that it runs again */
                rerunOf?: string;
                /** @description The step from which it runs */
                rerunFrom?: string;
                /** @description Which step of that call it is */
                step?: string;
                /** @description The skill that was in force */
                skill?: string;
                /** @description The idempotency key of the request */
                idempotencyKey?: string;
            };
        } | {
            /** @enum {string} */
            type: "call.queued";
            data: {
                /**
                 * Format: date-time
                 * @description Not before
                 */
                startAt?: string;
                /** @description Higher runs first; 0 if absent */
                priority?: number;
                /** @description Why it was put back into the queue */
                reason?: string;
                /**
                 * @description Why the previous run failed
                 * @enum {string}
                 */
                code?: "tool_not_found" | "invalid_input" | "invalid_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "body_too_large" | "unsupported_media_type" | "idempotency_mismatch" | "already_settled" | "already_decided" | "conflict" | "sign_in_failed" | "tenant_suspended" | "rate_limited" | "conversation_busy" | "shutting_down" | "denied" | "approval_required" | "cannot_wait" | "group_closed" | "approval_rejected" | "preview_changed" | "not_undoable" | "approval_expired" | "timeout" | "cancelled" | "interrupted" | "replay_diverged" | "outcome_unknown" | "upstream_failed" | "client_unable" | "sign_in_required" | "model_failed" | "tool_failed" | "tool_crashed" | "output_invalid" | "secret_missing" | "budget_exceeded" | "quota_exceeded" | "sandbox_unavailable" | "workspace_unavailable" | "call_too_deep" | "invalid_tool" | "invalid_schema" | "name_taken" | "invalid_config" | "invalid_policy" | "invalid_skill" | "record_failed" | "store_unavailable" | "data_locked" | "data_read_only" | "data_newer" | "data_damaged" | "wrong_master_key" | "server_unreachable" | "internal";
                /** @description Which retry this is */
                retry?: number;
                /** @description Its cost so far, in units */
                cost?: number;
            };
        } | {
            /** @enum {string} */
            type: "call.started";
            data: {
                /** @description Counts from 1 */
                attempt: number;
                /** @description Why the previous attempt failed */
                after?: string;
            };
        } | {
            /** @enum {string} */
            type: "call.output";
            data: {
                /** @description How far it is */
                progress: {
                    /** @description How much is done */
                    done?: number;
                    /** @description Of how much */
                    total?: number;
                    /** @description What it is doing */
                    message?: string;
                    /** @description More text, to append to the previous text */
                    text?: string;
                };
            } | {
                /** @description The output so far; replaces the previous one */
                partial?: unknown;
            };
        } | {
            /** @enum {string} */
            type: "call.waiting";
            data: {
                /**
                 * @description What it waits for
                 * @enum {string}
                 */
                for: "approval" | "external" | "call";
                /**
                 * Format: date-time
                 * @description When an external worker must be done
                 */
                until?: string;
                /** @description Its cost so far, in units */
                cost?: number;
            };
        } | {
            /** @enum {string} */
            type: "call.completed";
            data: {
                /** @description Milliseconds since the request */
                durationMs: number;
                /** @description Warnings for the caller */
                warnings?: string[];
                /** @description Where the full output is, if it was cut */
                artifact?: {
                    /** @description The artifact */
                    id: string;
                    /** @description Its size */
                    bytes: number;
                    /** @description Its media type */
                    mediaType: string;
                };
                /** @description Its cost so far, in units */
                cost?: number;
                /**
                 * @description Why the call has no effect; it is left out of usage figures
                 * @enum {string}
                 */
                purpose?: "preview" | "test";
                /** @description What models used */
                usage?: {
                    /** @description Requests to models */
                    modelCalls: number;
                    /** @description Requests that were cut off, counted in part */
                    cutOffCalls?: number;
                    /** @description Tokens read */
                    inputTokens: number;
                    /** @description Tokens written */
                    outputTokens: number;
                    /** @description Input tokens that came from a cache */
                    cachedTokens: number;
                    /** @description Usage of the agents that it started; they record their own cost */
                    sentOut?: {
                        /** @description Requests to models */
                        modelCalls: number;
                        /** @description Requests that were cut off, counted in part */
                        cutOffCalls?: number;
                        /** @description Tokens read */
                        inputTokens: number;
                        /** @description Tokens written */
                        outputTokens: number;
                        /** @description Input tokens that came from a cache */
                        cachedTokens: number;
                        /** @description In units */
                        cost: number;
                    };
                };
                /** @description Fields that the tool reported with `ctx.log` */
                log?: {
                    [key: string]: components["schemas"]["Json"];
                };
                /** @description The output, if it is small */
                output?: unknown;
                /** @description The size of the output, if it is large */
                outputBytes?: number;
            };
        } | {
            /** @enum {string} */
            type: "call.failed";
            data: {
                /** @description Milliseconds since the request */
                durationMs: number;
                /** @description Warnings for the caller */
                warnings?: string[];
                /** @description Where the full output is, if it was cut */
                artifact?: {
                    /** @description The artifact */
                    id: string;
                    /** @description Its size */
                    bytes: number;
                    /** @description Its media type */
                    mediaType: string;
                };
                /** @description Its cost so far, in units */
                cost?: number;
                /**
                 * @description Why the call has no effect; it is left out of usage figures
                 * @enum {string}
                 */
                purpose?: "preview" | "test";
                /** @description What models used */
                usage?: {
                    /** @description Requests to models */
                    modelCalls: number;
                    /** @description Requests that were cut off, counted in part */
                    cutOffCalls?: number;
                    /** @description Tokens read */
                    inputTokens: number;
                    /** @description Tokens written */
                    outputTokens: number;
                    /** @description Input tokens that came from a cache */
                    cachedTokens: number;
                    /** @description Usage of the agents that it started; they record their own cost */
                    sentOut?: {
                        /** @description Requests to models */
                        modelCalls: number;
                        /** @description Requests that were cut off, counted in part */
                        cutOffCalls?: number;
                        /** @description Tokens read */
                        inputTokens: number;
                        /** @description Tokens written */
                        outputTokens: number;
                        /** @description Input tokens that came from a cache */
                        cachedTokens: number;
                        /** @description In units */
                        cost: number;
                    };
                };
                /** @description Fields that the tool reported with `ctx.log` */
                log?: {
                    [key: string]: components["schemas"]["Json"];
                };
                /** @description What went wrong */
                error: {
                    /**
                     * @description An error code
                     * @enum {string}
                     */
                    code: "tool_not_found" | "invalid_input" | "invalid_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "body_too_large" | "unsupported_media_type" | "idempotency_mismatch" | "already_settled" | "already_decided" | "conflict" | "sign_in_failed" | "tenant_suspended" | "rate_limited" | "conversation_busy" | "shutting_down" | "denied" | "approval_required" | "cannot_wait" | "group_closed" | "approval_rejected" | "preview_changed" | "not_undoable" | "approval_expired" | "timeout" | "cancelled" | "interrupted" | "replay_diverged" | "outcome_unknown" | "upstream_failed" | "client_unable" | "sign_in_required" | "model_failed" | "tool_failed" | "tool_crashed" | "output_invalid" | "secret_missing" | "budget_exceeded" | "quota_exceeded" | "sandbox_unavailable" | "workspace_unavailable" | "call_too_deep" | "invalid_tool" | "invalid_schema" | "name_taken" | "invalid_config" | "invalid_policy" | "invalid_skill" | "record_failed" | "store_unavailable" | "data_locked" | "data_read_only" | "data_newer" | "data_damaged" | "wrong_master_key" | "server_unreachable" | "internal";
                    /** @description For people */
                    message: string;
                    /** @description Whether a retry can help */
                    retryable: boolean;
                };
            };
        } | {
            /** @enum {string} */
            type: "call.denied";
            data: {
                /** @description Milliseconds since the request */
                durationMs: number;
                /** @description Warnings for the caller */
                warnings?: string[];
                /** @description Where the full output is, if it was cut */
                artifact?: {
                    /** @description The artifact */
                    id: string;
                    /** @description Its size */
                    bytes: number;
                    /** @description Its media type */
                    mediaType: string;
                };
                /** @description Its cost so far, in units */
                cost?: number;
                /**
                 * @description Why the call has no effect; it is left out of usage figures
                 * @enum {string}
                 */
                purpose?: "preview" | "test";
                /** @description What models used */
                usage?: {
                    /** @description Requests to models */
                    modelCalls: number;
                    /** @description Requests that were cut off, counted in part */
                    cutOffCalls?: number;
                    /** @description Tokens read */
                    inputTokens: number;
                    /** @description Tokens written */
                    outputTokens: number;
                    /** @description Input tokens that came from a cache */
                    cachedTokens: number;
                    /** @description Usage of the agents that it started; they record their own cost */
                    sentOut?: {
                        /** @description Requests to models */
                        modelCalls: number;
                        /** @description Requests that were cut off, counted in part */
                        cutOffCalls?: number;
                        /** @description Tokens read */
                        inputTokens: number;
                        /** @description Tokens written */
                        outputTokens: number;
                        /** @description Input tokens that came from a cache */
                        cachedTokens: number;
                        /** @description In units */
                        cost: number;
                    };
                };
                /** @description Fields that the tool reported with `ctx.log` */
                log?: {
                    [key: string]: components["schemas"]["Json"];
                };
                /** @description What went wrong */
                error: {
                    /**
                     * @description An error code
                     * @enum {string}
                     */
                    code: "tool_not_found" | "invalid_input" | "invalid_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "body_too_large" | "unsupported_media_type" | "idempotency_mismatch" | "already_settled" | "already_decided" | "conflict" | "sign_in_failed" | "tenant_suspended" | "rate_limited" | "conversation_busy" | "shutting_down" | "denied" | "approval_required" | "cannot_wait" | "group_closed" | "approval_rejected" | "preview_changed" | "not_undoable" | "approval_expired" | "timeout" | "cancelled" | "interrupted" | "replay_diverged" | "outcome_unknown" | "upstream_failed" | "client_unable" | "sign_in_required" | "model_failed" | "tool_failed" | "tool_crashed" | "output_invalid" | "secret_missing" | "budget_exceeded" | "quota_exceeded" | "sandbox_unavailable" | "workspace_unavailable" | "call_too_deep" | "invalid_tool" | "invalid_schema" | "name_taken" | "invalid_config" | "invalid_policy" | "invalid_skill" | "record_failed" | "store_unavailable" | "data_locked" | "data_read_only" | "data_newer" | "data_damaged" | "wrong_master_key" | "server_unreachable" | "internal";
                    /** @description For people */
                    message: string;
                    /** @description Whether a retry can help */
                    retryable: boolean;
                };
            };
        } | {
            /** @enum {string} */
            type: "call.cancelled";
            data: {
                /** @description Milliseconds since the request */
                durationMs: number;
                /** @description Warnings for the caller */
                warnings?: string[];
                /** @description Where the full output is, if it was cut */
                artifact?: {
                    /** @description The artifact */
                    id: string;
                    /** @description Its size */
                    bytes: number;
                    /** @description Its media type */
                    mediaType: string;
                };
                /** @description Its cost so far, in units */
                cost?: number;
                /**
                 * @description Why the call has no effect; it is left out of usage figures
                 * @enum {string}
                 */
                purpose?: "preview" | "test";
                /** @description What models used */
                usage?: {
                    /** @description Requests to models */
                    modelCalls: number;
                    /** @description Requests that were cut off, counted in part */
                    cutOffCalls?: number;
                    /** @description Tokens read */
                    inputTokens: number;
                    /** @description Tokens written */
                    outputTokens: number;
                    /** @description Input tokens that came from a cache */
                    cachedTokens: number;
                    /** @description Usage of the agents that it started; they record their own cost */
                    sentOut?: {
                        /** @description Requests to models */
                        modelCalls: number;
                        /** @description Requests that were cut off, counted in part */
                        cutOffCalls?: number;
                        /** @description Tokens read */
                        inputTokens: number;
                        /** @description Tokens written */
                        outputTokens: number;
                        /** @description Input tokens that came from a cache */
                        cachedTokens: number;
                        /** @description In units */
                        cost: number;
                    };
                };
                /** @description Fields that the tool reported with `ctx.log` */
                log?: {
                    [key: string]: components["schemas"]["Json"];
                };
                /** @description What went wrong */
                error: {
                    /**
                     * @description An error code
                     * @enum {string}
                     */
                    code: "tool_not_found" | "invalid_input" | "invalid_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "body_too_large" | "unsupported_media_type" | "idempotency_mismatch" | "already_settled" | "already_decided" | "conflict" | "sign_in_failed" | "tenant_suspended" | "rate_limited" | "conversation_busy" | "shutting_down" | "denied" | "approval_required" | "cannot_wait" | "group_closed" | "approval_rejected" | "preview_changed" | "not_undoable" | "approval_expired" | "timeout" | "cancelled" | "interrupted" | "replay_diverged" | "outcome_unknown" | "upstream_failed" | "client_unable" | "sign_in_required" | "model_failed" | "tool_failed" | "tool_crashed" | "output_invalid" | "secret_missing" | "budget_exceeded" | "quota_exceeded" | "sandbox_unavailable" | "workspace_unavailable" | "call_too_deep" | "invalid_tool" | "invalid_schema" | "name_taken" | "invalid_config" | "invalid_policy" | "invalid_skill" | "record_failed" | "store_unavailable" | "data_locked" | "data_read_only" | "data_newer" | "data_damaged" | "wrong_master_key" | "server_unreachable" | "internal";
                    /** @description For people */
                    message: string;
                    /** @description Whether a retry can help */
                    retryable: boolean;
                };
            };
        } | {
            /** @enum {string} */
            type: "call.undone";
            data: {
                /** @description The call that was undone */
                undoes: string;
            };
        } | {
            /** @enum {string} */
            type: "call.refused";
            data: {
                /** @description For explain */
                refusalId: string;
                /** @description The requested name */
                tool: string;
                /**
                 * @description The origin of the call
                 * @enum {string}
                 */
                runtime: "chat" | "task" | "subagent" | "room" | "webhook" | "api" | "web" | "mcp" | "cli";
                /** @description What the caller held */
                permissions: string[];
                /** @description The policy layer that hides the tool */
                layer: string;
                /** @description Its rule */
                rule: string;
                /** @description The agents above the caller, nearest first */
                parents?: string[];
                /** @description The skill that was in force */
                skill?: string;
            };
        } | {
            /** @enum {string} */
            type: "completion.late";
            data: {
                /** @description The call */
                callId: string;
                /** @description The name of the tool */
                tool: string;
                /**
                 * @description What the worker reported
                 * @enum {string}
                 */
                status: "queued" | "running" | "waiting" | "completed" | "failed" | "denied" | "cancelled";
                /** @description The output, cut to 16 KiB */
                output?: unknown;
                /** @description What went wrong */
                error?: {
                    /**
                     * @description An error code
                     * @enum {string}
                     */
                    code: "tool_not_found" | "invalid_input" | "invalid_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "body_too_large" | "unsupported_media_type" | "idempotency_mismatch" | "already_settled" | "already_decided" | "conflict" | "sign_in_failed" | "tenant_suspended" | "rate_limited" | "conversation_busy" | "shutting_down" | "denied" | "approval_required" | "cannot_wait" | "group_closed" | "approval_rejected" | "preview_changed" | "not_undoable" | "approval_expired" | "timeout" | "cancelled" | "interrupted" | "replay_diverged" | "outcome_unknown" | "upstream_failed" | "client_unable" | "sign_in_required" | "model_failed" | "tool_failed" | "tool_crashed" | "output_invalid" | "secret_missing" | "budget_exceeded" | "quota_exceeded" | "sandbox_unavailable" | "workspace_unavailable" | "call_too_deep" | "invalid_tool" | "invalid_schema" | "name_taken" | "invalid_config" | "invalid_policy" | "invalid_skill" | "record_failed" | "store_unavailable" | "data_locked" | "data_read_only" | "data_newer" | "data_damaged" | "wrong_master_key" | "server_unreachable" | "internal";
                    /** @description For people */
                    message: string;
                };
                /** @description Warnings for the caller */
                warnings?: string[];
            };
        } | {
            /** @enum {string} */
            type: "group.sealed";
            data: {
                /** @description The group */
                groupId: string;
                /** @description What waits for it */
                kind: string;
                /** @description Calls in the group */
                members: number;
                /** @description Calls that have not settled */
                pending: number;
                /** @description Calls that did not complete */
                failed: number;
                /** @description How many continuations were started */
                attempt: number;
            };
        } | {
            /** @enum {string} */
            type: "group.settled";
            data: {
                /** @description The group */
                groupId: string;
                /** @description What waits for it */
                kind: string;
                /** @description Calls in the group */
                members: number;
                /** @description Calls that have not settled */
                pending: number;
                /** @description Calls that did not complete */
                failed: number;
                /** @description How many continuations were started */
                attempt: number;
            };
        } | {
            /** @enum {string} */
            type: "group.continued";
            data: {
                /** @description The group */
                groupId: string;
                /** @description What waits for it */
                kind: string;
                /** @description Calls in the group */
                members: number;
                /** @description Calls that have not settled */
                pending: number;
                /** @description Calls that did not complete */
                failed: number;
                /** @description How many continuations were started */
                attempt: number;
            };
        } | {
            /** @enum {string} */
            type: "approval.requested";
            data: {
                /** @description The approval */
                approvalId: string;
                /** @description Every rule that asks for approval */
                reasons: string[];
                /** @description How many people must approve */
                needed: number;
                /**
                 * Format: date-time
                 * @description When the call is denied if nobody decides
                 */
                expiresAt: string;
            };
        } | {
            /** @enum {string} */
            type: "approval.granted";
            data: {
                /** @description The approval */
                approvalId: string;
                /** @description The decider, as `kind:id` */
                by: string;
                /** @description How many more people must approve; 0 starts the call */
                missing: number;
                /** @description Why */
                reason?: string;
                /**
                 * @description The input was changed
                 * @enum {boolean}
                 */
                isEdited?: true;
                /** @description The changed input, if it is small */
                input?: unknown;
                /** @description The size of the changed input, if it is large */
                inputBytes?: number;
            };
        } | {
            /** @enum {string} */
            type: "approval.rejected";
            data: {
                /** @description The approval */
                approvalId: string;
                /** @description The decider, as `kind:id` */
                by: string;
                /** @description Why */
                reason?: string;
            };
        } | {
            /** @enum {string} */
            type: "approval.reopened";
            data: {
                /** @description The approval */
                approvalId: string;
                /** @description Decisions on earlier revisions do not count */
                revision: number;
                /**
                 * @description Why
                 * @enum {string}
                 */
                reason: "preview_changed";
                /**
                 * Format: date-time
                 * @description When the call is denied if nobody decides
                 */
                expiresAt: string;
            };
        } | {
            /** @enum {string} */
            type: "approval.expired";
            data: {
                /** @description The approval */
                approvalId: string | null;
            };
        } | {
            /** @enum {string} */
            type: "approval.remembered";
            data: {
                /** @description The rule that was made */
                ruleId: string;
                /** @description The approval */
                approvalId: string;
                /** @description The decider, as `kind:id` */
                by: string;
                /**
                 * Format: date-time
                 * @description When the rule ends
                 */
                expiresAt: string;
                /** @description How later inputs are compared */
                match: string;
            };
        } | {
            /** @enum {string} */
            type: "approval.rule_revoked";
            data: {
                /** @description The rule that ended */
                ruleId: string;
                /** @description The name of the tool */
                tool: string;
                /** @description The approval */
                approvalId: string;
            };
        } | {
            /** @enum {string} */
            type: "approval.notice_failed";
            data: {
                /** @description The approval */
                approvalId: string;
                /** @description The call that waits */
                callId: string;
                /** @description How often it was tried */
                tries: number;
                /** @description Where it was sent */
                host: string;
                /** @description Why */
                reason: string;
            };
        } | {
            /** @enum {string} */
            type: "question.asked";
            data: {
                /** @description The question */
                questionId: string;
                /** @description What is asked */
                title: string;
                /** @description Who may answer */
                to: string[];
                /**
                 * Format: date-time
                 * @description When it expires
                 */
                expiresAt: string;
            };
        } | {
            /** @enum {string} */
            type: "question.answered";
            data: {
                /** @description The question */
                questionId: string;
                /** @description The person, as `kind:id` */
                by: string;
            };
        } | {
            /** @enum {string} */
            type: "question.declined";
            data: {
                /** @description The question */
                questionId: string;
                /** @description The person, as `kind:id` */
                by: string;
                /** @description Why */
                reason?: string;
            };
        } | {
            /** @enum {string} */
            type: "question.expired";
            data: {
                /** @description The question */
                questionId: string;
                /** @description The call ended with the default answer */
                hasDefault: boolean;
            };
        } | {
            /** @enum {string} */
            type: "question.reminded";
            data: {
                /** @description The question */
                questionId: string;
                /** @description How many reminders there were */
                count: number;
            };
        } | {
            /** @enum {string} */
            type: "question.reassigned";
            data: {
                /** @description The question */
                questionId: string;
                /** @description The person, as `kind:id` */
                by: string;
                /** @description Who may answer now */
                to: string[];
            };
        } | {
            /** @enum {string} */
            type: "question.withdrawn";
            data: {
                /** @description The question */
                questionId: string;
                /** @description The call */
                callId: string;
            };
        } | {
            /** @enum {string} */
            type: "tool.registered";
            data: {
                /** @description The name of the tool */
                tool: string;
                /** @description Why it is quarantined */
                reason?: string;
            };
        } | {
            /** @enum {string} */
            type: "tool.changed";
            data: {
                /** @description The name of the tool */
                tool: string;
                /** @description Why it is quarantined */
                reason?: string;
            };
        } | {
            /** @enum {string} */
            type: "tool.removed";
            data: {
                /** @description The name of the tool */
                tool: string;
                /** @description Why it is quarantined */
                reason?: string;
            };
        } | {
            /** @enum {string} */
            type: "tool.quarantined";
            data: {
                /** @description The name of the tool */
                tool: string;
                /** @description Why it is quarantined */
                reason?: string;
            };
        } | {
            /** @enum {string} */
            type: "tool.file_failed";
            data: {
                /** @description The file, from the working folder */
                file: string;
                /** @description The tools that it had */
                tools: string[];
            };
        } | {
            /** @enum {string} */
            type: "tool.file_loaded";
            data: {
                /** @description The file, from the working folder */
                file: string;
            };
        } | {
            /** @enum {string} */
            type: "tool.gone";
            data: {
                /** @description The name of the tool */
                tool: string;
            };
        } | {
            /** @enum {string} */
            type: "tool.returned";
            data: {
                /** @description The name of the tool */
                tool: string;
            };
        } | {
            /** @enum {string} */
            type: "tool.published";
            data: {
                /** @description The name of the tool */
                tool: string;
                /** @description The version, by the hash of its content */
                version: string;
                /** @description The number of the version */
                number: number;
                /** @description The version in force before */
                before?: string;
                /** @description A note of its author */
                note?: string;
                /**
                 * @description An earlier version is back
                 * @enum {boolean}
                 */
                isRestored?: true;
            };
        } | {
            /** @enum {string} */
            type: "tool.draft_saved";
            data: {
                /** @description The name of the tool */
                tool: string;
            };
        } | {
            /** @enum {string} */
            type: "tool.draft_dropped";
            data: {
                /** @description The name of the tool */
                tool: string;
            };
        } | {
            /** @enum {string} */
            type: "tool.disabled";
            data: {
                /** @description The name of the tool */
                tool: string;
                /** @description Tools, agents and schedules that name it */
                usedBy?: string[];
            };
        } | {
            /** @enum {string} */
            type: "tool.enabled";
            data: {
                /** @description The name of the tool */
                tool: string;
            };
        } | {
            /** @enum {string} */
            type: "tool.overridden";
            data: {
                /** @description The name of the tool */
                tool: string;
                /** @description The facts that differ now; none: the override was removed */
                facts: string[];
            };
        } | {
            /** @enum {string} */
            type: "mcp.server.added";
            data: {
                /** @description The name of the server */
                server: string;
                /** @description The program it runs */
                command?: string;
                /** @description Its address, without the query */
                url?: string;
                /** @description Whether it needs a sign-in */
                oauth?: boolean;
                /** @description The names of the secrets it uses */
                secrets?: string[];
                /** @description Whether it is switched on */
                enabled: boolean;
            };
        } | {
            /** @enum {string} */
            type: "mcp.server.changed";
            data: {
                /** @description The name of the server */
                server: string;
                /** @description The fields that were given */
                fields: string[];
                /** @description The program it runs */
                command?: string;
                /** @description Its address, without the query */
                url?: string;
                /** @description Whether it needs a sign-in */
                oauth?: boolean;
                /** @description The names of the secrets it uses */
                secrets?: string[];
                /** @description Whether it is switched on */
                enabled?: boolean;
            };
        } | {
            /** @enum {string} */
            type: "mcp.server.removed";
            data: {
                /** @description The name of the server */
                server: string;
            };
        } | {
            /** @enum {string} */
            type: "mcp.server.tested";
            data: {
                /** @description The name of the server */
                server: string;
                /** @description The program it runs */
                command?: string;
                /** @description Its address, without the query */
                url?: string;
                /** @description Whether it needs a sign-in */
                oauth?: boolean;
                /** @description The names of the secrets it uses */
                secrets?: string[];
            };
        } | {
            /** @enum {string} */
            type: "mcp.server.tool_accepted";
            data: {
                /** @description The name of the server */
                server: string;
                /** @description The name of the tool */
                tool: string;
                /** @description The hash of its definition */
                hash: string;
            };
        } | {
            /** @enum {string} */
            type: "mcp.server.tool_rejected";
            data: {
                /** @description The name of the server */
                server: string;
                /** @description The name of the tool */
                tool: string;
                /** @description The hash of its definition */
                hash: string;
            };
        } | {
            /** @enum {string} */
            type: "mcp.server.signed_in";
            data: {
                /** @description The name of the server */
                server: string;
                /** @description The owner of the sign-in, as `kind:id`; empty for the whole tenant */
                subject: string;
                /** @description The authorization server */
                issuer: string;
            };
        } | {
            /** @enum {string} */
            type: "mcp.server.signed_out";
            data: {
                /** @description The name of the server */
                server: string;
                /** @description The owner of the sign-in, as `kind:id`; empty for the whole tenant */
                subject: string;
            };
        } | {
            /** @enum {string} */
            type: "mcp.server.connected";
            data: {
                /** @description The name of the server */
                server: string;
                /**
                 * @description How it speaks MCP
                 * @enum {string}
                 */
                era: "modern" | "legacy";
                /** @description Its protocol version */
                version: string;
            };
        } | {
            /** @enum {string} */
            type: "mcp.server.failed";
            data: {
                /** @description The name of the server */
                server: string;
                /** @description Why */
                reason: string;
            };
        } | {
            /** @enum {string} */
            type: "mcp.server.ended";
            data: {
                /** @description The name of the server */
                server: string;
                /** @description Why */
                reason: string;
            };
        } | {
            /** @enum {string} */
            type: "mcp.server.listed";
            data: {
                /** @description The name of the server */
                server: string;
                /** @description How many it has */
                tools: number;
            };
        } | {
            /** @enum {string} */
            type: "mcp.server.tool_quarantined";
            data: {
                /** @description The name of the server */
                server: string;
                /** @description The name of the tool */
                tool: string;
                /** @description Why */
                reason: string;
                /** @description The parts of its definition that changed, as JSON pointers */
                changed?: string[];
            };
        } | {
            /** @enum {string} */
            type: "api.added";
            data: {
                /** @description The name of the API */
                api: string;
                /** @description The address of its document, without the query */
                url?: string;
                /** @description The address of the API */
                server?: string;
                /** @description The names of the secrets it gets */
                secrets?: string[];
                /** @description Whether it is switched on */
                enabled: boolean;
            };
        } | {
            /** @enum {string} */
            type: "api.changed";
            data: {
                /** @description The name of the API */
                api: string;
                /** @description The fields that were given */
                fields: string[];
                /** @description The address of its document, without the query */
                url?: string;
                /** @description The address of the API */
                server?: string;
                /** @description The names of the secrets it gets */
                secrets?: string[];
                /** @description Whether it is switched on */
                enabled: boolean;
            };
        } | {
            /** @enum {string} */
            type: "api.removed";
            data: {
                /** @description The name of the API */
                api: string;
            };
        } | {
            /** @enum {string} */
            type: "api.listed";
            data: {
                /** @description The name of the API */
                api: string;
                /** @description How many operations it has */
                operations: number;
                /** @description How many are new */
                added: number;
                /** @description How many have changed */
                changed: number;
                /** @description How many are gone */
                removed: number;
            };
        } | {
            /** @enum {string} */
            type: "api.tool_quarantined";
            data: {
                /** @description The name of the API */
                api: string;
                /** @description The name of the operation */
                tool: string;
                /** @description Why */
                reason: string;
            };
        } | {
            /** @enum {string} */
            type: "api.tool_accepted";
            data: {
                /** @description The name of the API */
                api: string;
                /** @description The name of the operation */
                tool: string;
                /** @description The hash of its definition */
                hash: string;
            };
        } | {
            /** @enum {string} */
            type: "api.tool_rejected";
            data: {
                /** @description The name of the API */
                api: string;
                /** @description The name of the operation */
                tool: string;
                /** @description The hash of its definition */
                hash: string;
            };
        } | {
            /** @enum {string} */
            type: "secret.written";
            data: {
                /** @description The name of the secret */
                name: string;
                /** @description The agent it belongs to; absent: the tenant */
                agent?: string;
                /** @description Counts up with every value */
                version: number;
            };
        } | {
            /** @enum {string} */
            type: "secret.changed";
            data: {
                /** @description The name of the secret */
                name: string;
                /** @description The agent it belongs to; absent: the tenant */
                agent?: string;
                /** @description The notes in the request */
                parts: string[];
            };
        } | {
            /** @enum {string} */
            type: "secret.deleted";
            data: {
                /** @description The name of the secret */
                name: string;
                /** @description The agent it belongs to; absent: the tenant */
                agent?: string;
            };
        } | {
            /** @enum {string} */
            type: "keyring.rotated";
            data: {
                /**
                 * @description What happened
                 * @enum {string}
                 */
                step: "begun" | "finished" | "dropped";
                /** @description The key: the new one, or the one that was dropped */
                keyId: string;
                /** @description The key before */
                from?: string;
                /** @description The values still sealed with older keys */
                left?: {
                    /** @description Secrets */
                    secrets: number;
                    /** @description Inputs of schedules and calls */
                    inputs: number;
                };
            };
        } | {
            /** @enum {string} */
            type: "key.created";
            data: {
                /** @description The key */
                id: string;
                /** @description What it is called */
                name: string;
                /** @description What it may do */
                scopes: string[];
                /** @description The slug of the agent */
                agent?: string;
                /**
                 * Format: date-time
                 * @description When it ends
                 */
                expiresAt?: string;
            };
        } | {
            /** @enum {string} */
            type: "key.revoked";
            data: {
                /** @description The key */
                id: string;
                /** @description The removed member it belonged to */
                member?: string;
            };
        } | {
            /** @enum {string} */
            type: "key.token_issued";
            data: {
                /** @description The key */
                id: string;
                /** @description The key of the site */
                parent: string;
                /** @description The visitor, as the site names them */
                visitor: string;
                /** @description What it may do */
                scopes: string[];
                /** @description The slug of the agent */
                agent?: string;
                /**
                 * Format: date-time
                 * @description When the token ends
                 */
                expiresAt: string;
            };
        } | {
            /** @enum {string} */
            type: "key.rotated";
            data: {
                /** @description The key */
                id: string;
                /**
                 * Format: date-time
                 * @description How long the old secret still works; absent: it stopped at once
                 */
                oldSecretUntil?: string;
            };
        } | {
            /** @enum {string} */
            type: "policy.changed";
            data: {
                /**
                 * @description What changed
                 * @enum {string}
                 */
                kind: "policy" | "provider" | "profile" | "group" | "pack" | "label" | "limit" | "mcp-server" | "api";
                /** @description Its name */
                name: string;
                /**
                 * @description What happened to it
                 * @enum {string}
                 */
                change: "created" | "changed" | "deleted";
                /** @description The previous policy document; null if there was none */
                before?: unknown;
                /** @description A policy document after */
                after?: unknown;
                /** @description A limit after */
                limit?: unknown;
                /** @description A label after */
                label?: unknown;
            };
        } | {
            /** @enum {string} */
            type: "network.denied";
            data: {
                /** @description The host, or `*` where there were too many to list */
                host: string;
                /** @description The port */
                port: number;
                /** @description The pattern that decided, or the reason */
                rule: string;
                /** @description Where the rule is: `global`, `tenant`, `agent:<slug>`, `address`, `default` */
                level: string;
                /** @description Who set the rule */
                setBy: string;
                /** @description The pack of the tool */
                pack: string;
                /** @description The name of the tool */
                tool?: string;
                /** @description The slug of the agent */
                agent?: string;
                /** @description The call */
                callId?: string;
                /** @description How often it was refused */
                count: number;
            };
        } | {
            /** @enum {string} */
            type: "network.changed";
            data: {
                /** @description The rule */
                id: string;
                /**
                 * @description What happened to it
                 * @enum {string}
                 */
                change: "created" | "changed" | "deleted";
                /** @description The rule before; null: none */
                before?: unknown;
                /** @description The rule after */
                after?: unknown;
            };
        } | {
            /** @enum {string} */
            type: "agent.created";
            data: {
                /** @description The slug of the agent */
                agent: string;
            };
        } | {
            /** @enum {string} */
            type: "agent.changed";
            data: {
                /** @description The slug of the agent */
                agent: string;
                /** @description The fields that were given; absent if configuration changed it */
                parts?: string[];
            };
        } | {
            /** @enum {string} */
            type: "agent.deleted";
            data: {
                /** @description The slug of the agent */
                agent: string;
            };
        } | {
            /** @enum {string} */
            type: "grant.added";
            data: {
                /** @description The slug of the agent */
                agent: string;
                /** @description A tool, or a pattern of tools */
                pattern: string;
                /**
                 * @description Whether it grants or denies
                 * @enum {string}
                 */
                kind: "allow" | "deny";
                /** @description Its source: `manual`, or `skill:<name>` */
                source: string;
            };
        } | {
            /** @enum {string} */
            type: "grant.removed";
            data: {
                /** @description The slug of the agent */
                agent: string;
                /** @description A tool, or a pattern of tools */
                pattern: string;
                /**
                 * @description Whether it grants or denies
                 * @enum {string}
                 */
                kind?: "allow" | "deny";
                /** @description Its source: `manual`, or `skill:<name>` */
                source?: string;
                /** @description Why, if nobody removed it */
                reason?: string;
            };
        } | {
            /** @enum {string} */
            type: "grant.renamed";
            data: {
                /** @description The slug of the agent */
                agent: string;
                /** @description The former name */
                from: string;
                /** @description The new name */
                to: string;
            };
        } | {
            /** @enum {string} */
            type: "skill.installed";
            data: {
                /** @description The name of the skill */
                skill: string;
                /** @description Its version, a content hash */
                version: string;
                /** @description The tools it requires */
                tools: string[];
                /** @description The size of its files */
                bytes: number;
                /** @description Whether configuration declares it */
                isDeclared: boolean;
                /** @description Old versions that were removed */
                dropped?: string[];
            };
        } | {
            /** @enum {string} */
            type: "skill.removed";
            data: {
                /** @description The name of the skill */
                skill: string;
                /** @description How many agents had it */
                agents: number;
            };
        } | {
            /** @enum {string} */
            type: "skill.enabled";
            data: {
                /** @description The slug of the agent */
                agent: string;
                /** @description The name of the skill */
                skill: string;
                /** @description Its version, a content hash */
                version: string;
                /** @description The version the agent had before */
                previous?: string;
            };
        } | {
            /** @enum {string} */
            type: "skill.disabled";
            data: {
                /** @description The slug of the agent */
                agent: string;
                /** @description The name of the skill */
                skill: string;
                /** @description The version the agent had before */
                previous?: string;
            };
        } | {
            /** @enum {string} */
            type: "turn.started";
            data: {
                /** @description The turn */
                turnId: string;
                /**
                 * @description Why the agent runs
                 * @enum {string}
                 */
                runtime: "chat" | "task" | "subagent" | "room" | "webhook" | "api" | "web" | "mcp" | "cli";
                /** @description The kind of conversation */
                kind: string;
                /** @description The call that started it */
                parentCallId?: string;
            };
        } | {
            /** @enum {string} */
            type: "turn.waiting";
            data: {
                /** @description The turn */
                turnId: string;
                /** @description Cost of models since it was last recorded, in units */
                cost: number;
            };
        } | {
            /** @enum {string} */
            type: "turn.completed";
            data: {
                /** @description The turn */
                turnId: string;
                /** @description The number of model calls */
                steps: number;
                /** @description The model it used */
                model?: string;
                /** @description What models used */
                usage: {
                    /** @description Requests to models */
                    modelCalls: number;
                    /** @description Requests that were cut off, counted in part */
                    cutOffCalls?: number;
                    /** @description Tokens read */
                    inputTokens: number;
                    /** @description Tokens written */
                    outputTokens: number;
                    /** @description Input tokens that came from a cache */
                    cachedTokens: number;
                    /** @description Usage of the agents that it started; they record their own cost */
                    sentOut?: {
                        /** @description Requests to models */
                        modelCalls: number;
                        /** @description Requests that were cut off, counted in part */
                        cutOffCalls?: number;
                        /** @description Tokens read */
                        inputTokens: number;
                        /** @description Tokens written */
                        outputTokens: number;
                        /** @description Input tokens that came from a cache */
                        cachedTokens: number;
                        /** @description In units */
                        cost: number;
                    };
                };
                /** @description Cost of models since it was last recorded, in units */
                cost?: number;
                /** @description The call that started it */
                parentCallId?: string;
            };
        } | {
            /** @enum {string} */
            type: "turn.failed";
            data: {
                /** @description The turn */
                turnId: string;
                /** @description The number of model calls */
                steps: number;
                /** @description The model it used */
                model?: string;
                /** @description What models used */
                usage: {
                    /** @description Requests to models */
                    modelCalls: number;
                    /** @description Requests that were cut off, counted in part */
                    cutOffCalls?: number;
                    /** @description Tokens read */
                    inputTokens: number;
                    /** @description Tokens written */
                    outputTokens: number;
                    /** @description Input tokens that came from a cache */
                    cachedTokens: number;
                    /** @description Usage of the agents that it started; they record their own cost */
                    sentOut?: {
                        /** @description Requests to models */
                        modelCalls: number;
                        /** @description Requests that were cut off, counted in part */
                        cutOffCalls?: number;
                        /** @description Tokens read */
                        inputTokens: number;
                        /** @description Tokens written */
                        outputTokens: number;
                        /** @description Input tokens that came from a cache */
                        cachedTokens: number;
                        /** @description In units */
                        cost: number;
                    };
                };
                /** @description Cost of models since it was last recorded, in units */
                cost?: number;
                /** @description The call that started it */
                parentCallId?: string;
                /** @description What went wrong */
                error: {
                    /**
                     * @description An error code
                     * @enum {string}
                     */
                    code: "tool_not_found" | "invalid_input" | "invalid_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "body_too_large" | "unsupported_media_type" | "idempotency_mismatch" | "already_settled" | "already_decided" | "conflict" | "sign_in_failed" | "tenant_suspended" | "rate_limited" | "conversation_busy" | "shutting_down" | "denied" | "approval_required" | "cannot_wait" | "group_closed" | "approval_rejected" | "preview_changed" | "not_undoable" | "approval_expired" | "timeout" | "cancelled" | "interrupted" | "replay_diverged" | "outcome_unknown" | "upstream_failed" | "client_unable" | "sign_in_required" | "model_failed" | "tool_failed" | "tool_crashed" | "output_invalid" | "secret_missing" | "budget_exceeded" | "quota_exceeded" | "sandbox_unavailable" | "workspace_unavailable" | "call_too_deep" | "invalid_tool" | "invalid_schema" | "name_taken" | "invalid_config" | "invalid_policy" | "invalid_skill" | "record_failed" | "store_unavailable" | "data_locked" | "data_read_only" | "data_newer" | "data_damaged" | "wrong_master_key" | "server_unreachable" | "internal";
                    /** @description For people */
                    message: string;
                };
            };
        } | {
            /** @enum {string} */
            type: "turn.cancelled";
            data: {
                /** @description The turn */
                turnId: string;
                /** @description The number of model calls */
                steps: number;
                /** @description The model it used */
                model?: string;
                /** @description What models used */
                usage: {
                    /** @description Requests to models */
                    modelCalls: number;
                    /** @description Requests that were cut off, counted in part */
                    cutOffCalls?: number;
                    /** @description Tokens read */
                    inputTokens: number;
                    /** @description Tokens written */
                    outputTokens: number;
                    /** @description Input tokens that came from a cache */
                    cachedTokens: number;
                    /** @description Usage of the agents that it started; they record their own cost */
                    sentOut?: {
                        /** @description Requests to models */
                        modelCalls: number;
                        /** @description Requests that were cut off, counted in part */
                        cutOffCalls?: number;
                        /** @description Tokens read */
                        inputTokens: number;
                        /** @description Tokens written */
                        outputTokens: number;
                        /** @description Input tokens that came from a cache */
                        cachedTokens: number;
                        /** @description In units */
                        cost: number;
                    };
                };
                /** @description Cost of models since it was last recorded, in units */
                cost?: number;
                /** @description The call that started it */
                parentCallId?: string;
                /** @description What went wrong */
                error: {
                    /**
                     * @description An error code
                     * @enum {string}
                     */
                    code: "tool_not_found" | "invalid_input" | "invalid_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "body_too_large" | "unsupported_media_type" | "idempotency_mismatch" | "already_settled" | "already_decided" | "conflict" | "sign_in_failed" | "tenant_suspended" | "rate_limited" | "conversation_busy" | "shutting_down" | "denied" | "approval_required" | "cannot_wait" | "group_closed" | "approval_rejected" | "preview_changed" | "not_undoable" | "approval_expired" | "timeout" | "cancelled" | "interrupted" | "replay_diverged" | "outcome_unknown" | "upstream_failed" | "client_unable" | "sign_in_required" | "model_failed" | "tool_failed" | "tool_crashed" | "output_invalid" | "secret_missing" | "budget_exceeded" | "quota_exceeded" | "sandbox_unavailable" | "workspace_unavailable" | "call_too_deep" | "invalid_tool" | "invalid_schema" | "name_taken" | "invalid_config" | "invalid_policy" | "invalid_skill" | "record_failed" | "store_unavailable" | "data_locked" | "data_read_only" | "data_newer" | "data_damaged" | "wrong_master_key" | "server_unreachable" | "internal";
                    /** @description For people */
                    message: string;
                };
            };
        } | {
            /** @enum {string} */
            type: "conversation.deleted";
            data: {
                /** @description The conversation */
                conversationId: string;
                /** @description How many messages it had */
                messages: number;
            };
        } | {
            /** @enum {string} */
            type: "tenant.created";
            data: {
                /** @description The slug of the tenant */
                slug: string;
                /** @description What it is called */
                name: string;
            };
        } | {
            /** @enum {string} */
            type: "tenant.changed";
            data: {
                /** @description The slug of the tenant */
                slug: string;
                /** @description What it is called */
                name: string;
                /**
                 * @description Whether it can be used
                 * @enum {string}
                 */
                status: "active" | "suspended";
                /** @description Why */
                reason?: string;
                /** @description Before */
                from: {
                    /** @description What it is called */
                    name: string;
                    /**
                     * @description Whether it can be used
                     * @enum {string}
                     */
                    status: "active" | "suspended";
                };
            };
        } | {
            /** @enum {string} */
            type: "tenant.deleted";
            data: {
                /** @description The slug of the tenant */
                slug: string;
                /** @description What it is called */
                name: string;
            };
        } | {
            /** @enum {string} */
            type: "member.invited";
            data: {
                /** @description The invitation */
                invitation: string;
                /** @description Their address */
                email: string;
                /** @description Their role */
                role: string;
                /** @description Permissions in addition to the role */
                permissions: string[];
            };
        } | {
            /** @enum {string} */
            type: "member.added";
            data: {
                /** @description The member */
                id: string;
                /** @description What they are called */
                name: string;
                /** @description Their role */
                role: string;
                /** @description Permissions in addition to the role */
                permissions: string[];
                /** @description Their address */
                email?: string;
            };
        } | {
            /** @enum {string} */
            type: "member.joined";
            data: {
                /** @description The member */
                id: string;
                /** @description What they are called */
                name: string;
                /** @description Their role */
                role: string;
                /** @description Permissions in addition to the role */
                permissions: string[];
                /** @description Their address */
                email?: string;
                /**
                 * @description The sign-in method
                 * @enum {string}
                 */
                method?: "link" | "password" | "oidc" | "invitation";
                /** @description The identity provider */
                via?: string;
                /** @description The network address they came from */
                address?: string;
            };
        } | {
            /** @enum {string} */
            type: "member.changed";
            data: {
                /** @description The member */
                id: string;
                /** @description What they are called */
                name?: string;
                /** @description The changed fields before */
                from?: {
                    /** @description What they are called */
                    name?: string;
                    /** @description Their role */
                    role?: string;
                    /**
                     * @description Whether they may sign in
                     * @enum {string}
                     */
                    status?: "active" | "suspended";
                    /** @description Permissions in addition to the role */
                    permissions?: string[];
                };
                /** @description The changed fields after */
                to?: {
                    /** @description What they are called */
                    name?: string;
                    /** @description Their role */
                    role?: string;
                    /**
                     * @description Whether they may sign in
                     * @enum {string}
                     */
                    status?: "active" | "suspended";
                    /** @description Permissions in addition to the role */
                    permissions?: string[];
                };
                /** @description The changed part of the account: `password`, `email` */
                fields?: string[];
                /**
                 * @description The change of the password by an administrator
                 * @enum {string}
                 */
                password?: "set" | "removed";
            };
        } | {
            /** @enum {string} */
            type: "member.removed";
            data: {
                /** @description The member */
                id: string;
                /** @description What they are called */
                name: string;
                /** @description Their role */
                role: string;
                /** @description Their address */
                email?: string;
            };
        } | {
            /** @enum {string} */
            type: "member.signed_in";
            data: {
                /** @description The sign-in */
                session: string;
                /**
                 * @description The sign-in method
                 * @enum {string}
                 */
                method: "link" | "password" | "oidc" | "invitation";
                /** @description The identity provider */
                via?: string;
                /** @description The network address they came from */
                address?: string;
            };
        } | {
            /** @enum {string} */
            type: "member.sign_in_failed";
            data: {
                /** @description Their address */
                email: string;
                /**
                 * @description The sign-in method
                 * @enum {string}
                 */
                method: "link" | "password" | "oidc" | "invitation";
                /** @description The network address they came from */
                address?: string;
            };
        } | {
            /** @enum {string} */
            type: "member.signed_out";
            data: {
                /** @description The member */
                member: string;
                /** @description How many sign-ins ended */
                sessions: number;
            };
        } | {
            /** @enum {string} */
            type: "member.uninvited";
            data: {
                /** @description The invitation */
                invitation: string;
            };
        } | {
            /** @enum {string} */
            type: "member.link_created";
            data: {
                /** @description The member */
                member: string;
                /** @description The id of the link */
                link: string;
            };
        } | {
            /** @enum {string} */
            type: "limit.reached";
            data: {
                /** @description Its name */
                limit: string;
                /** @description The subject whose use it counts, as `kind:name` */
                subject: string;
                /**
                 * @description What it counts
                 * @enum {string}
                 */
                measure: "callsPerMinute" | "concurrent" | "outputBytesPerDay" | "costPerDay" | "costPerMonth";
                /** @description How much it allows */
                most: number;
                /** @description Who set it */
                setBy: string;
                /** @description The name of the tool */
                tool?: string;
            };
        } | {
            /** @enum {string} */
            type: "session.flagged";
            data: {
                /**
                 * @description The kind of data that the session has read
                 * @enum {string}
                 */
                kind: "untrusted" | "private";
                /** @description The first call that read it */
                callId: string;
                /** @description The tool of that call */
                tool: string;
            };
        } | {
            /** @enum {string} */
            type: "session.cleared";
            data: {
                /** @description The flags it had */
                flags: {
                    /**
                     * @description The kind of data that the session has read
                     * @enum {string}
                     */
                    kind: "untrusted" | "private";
                    /** @description The first call that read it */
                    callId: string;
                    /** @description The tool of that call */
                    tool: string;
                    /**
                     * Format: date-time
                     * @description When it was raised
                     */
                    raisedAt: string;
                }[];
            };
        } | {
            /** @enum {string} */
            type: "schedule.created";
            data: {
                /** @description The schedule */
                id: string;
                /** @description What it is called */
                name: string;
                /** @description Its note */
                note?: string;
                /** @description The name of the tool */
                tool: string;
                /** @description The slug of the agent */
                agent?: string;
                /** @description When it runs */
                when: {
                    /** @description A cron expression */
                    cron: string;
                    /** @description Its time zone */
                    timezone: string;
                } | {
                    /** @description An interval */
                    every: string;
                    /**
                     * Format: date-time
                     * @description Where its steps start
                     */
                    from: string;
                } | {
                    /**
                     * Format: date-time
                     * @description Once, at this time
                     */
                    at: string;
                };
                /** @description Whether it runs: `active`, `paused`, `disabled` or `finished` */
                state: string;
            };
        } | {
            /** @enum {string} */
            type: "schedule.changed";
            data: {
                /** @description The schedule */
                id: string;
                /** @description What it is called */
                name: string;
                /** @description Its note */
                note?: string;
                /** @description The name of the tool */
                tool: string;
                /** @description The slug of the agent */
                agent?: string;
                /** @description When it runs */
                when: {
                    /** @description A cron expression */
                    cron: string;
                    /** @description Its time zone */
                    timezone: string;
                } | {
                    /** @description An interval */
                    every: string;
                    /**
                     * Format: date-time
                     * @description Where its steps start
                     */
                    from: string;
                } | {
                    /**
                     * Format: date-time
                     * @description Once, at this time
                     */
                    at: string;
                };
                /** @description Whether it runs: `active`, `paused`, `disabled` or `finished` */
                state: string;
            };
        } | {
            /** @enum {string} */
            type: "schedule.deleted";
            data: {
                /** @description The schedule */
                id: string;
                /** @description What it is called */
                name: string;
            };
        } | {
            /** @enum {string} */
            type: "schedule.fired";
            data: {
                /** @description The schedule */
                id: string;
                /** @description What it is called */
                name: string;
                /** @description The name of the tool */
                tool: string;
                /** @description The run */
                runId: string;
                /**
                 * @description It was due, or a person ran it
                 * @enum {string}
                 */
                trigger: "time" | "now";
                /**
                 * Format: date-time
                 * @description When it was due
                 */
                dueAt: string;
                /** @description The number of earlier times that were missed */
                missed?: number;
                /**
                 * @description Nothing ran, because the previous run had not finished
                 * @enum {boolean}
                 */
                skipped?: true;
            };
        } | {
            /** @enum {string} */
            type: "schedule.disabled";
            data: {
                /** @description The schedule */
                id: string;
                /** @description What it is called */
                name: string;
                /** @description Why */
                reason: string;
            };
        } | {
            /** @enum {string} */
            type: "upload.stored";
            data: {
                /** @description The upload */
                upload: string;
                /** @description The name of the file */
                name: string;
                /** @description Its media type */
                mediaType: string;
                /** @description Its size */
                bytes: number;
                /** @description Its SHA-256 digest */
                sha256: string;
            };
        } | {
            /** @enum {string} */
            type: "upload.deleted";
            data: {
                /** @description The upload */
                upload: string;
                /**
                 * @description Nothing used it
                 * @enum {string}
                 */
                because?: "unused";
            };
        } | {
            /** @enum {string} */
            type: "workspace.created";
            data: {
                /** @description The workspace */
                workspace: string;
                /** @description Its session */
                session?: string;
            };
        } | {
            /** @enum {string} */
            type: "workspace.changed";
            data: {
                /** @description The workspace */
                workspace: string;
                /**
                 * @description May its files be changed
                 * @enum {string}
                 */
                mode: "read-only" | "ask" | "free";
            };
        } | {
            /** @enum {string} */
            type: "workspace.removed";
            data: {
                /** @description The workspace */
                workspace: string;
                /** @description Its session */
                session?: string;
                /**
                 * @description The reason
                 * @enum {string}
                 */
                because: "asked" | "idle" | "conversation deleted";
            };
        } | {
            /** @enum {string} */
            type: "audit.exported";
            data: {
                /**
                 * @description How it was written
                 * @enum {string}
                 */
                format: "jsonl" | "csv";
                /** @description The event after which it starts */
                after?: string;
                /** @description The filters that were applied */
                filter: {
                    [key: string]: components["schemas"]["Json"];
                };
            };
        } | {
            /** @enum {string} */
            type: "backup.created";
            data: {
                /** @description The size of the database */
                bytes: number;
                /** @description How long no other query ran */
                stalledMs: number;
                /** @description The files of workspaces are included */
                workspaces?: boolean;
            };
        } | {
            /** @enum {string} */
            type: "process.started";
            data: {
                /** @description The workspace that it runs in */
                workspace: string;
                /** @description Its number in this workspace */
                pid: number;
                /** @description The beginning of its command */
                command: string;
            };
        } | {
            /** @enum {string} */
            type: "process.ended";
            data: {
                /** @description The workspace that it runs in */
                workspace: string;
                /** @description Its number in this workspace */
                pid: number;
                /** @description The beginning of its command */
                command: string;
                /** @description How it ended, unless a signal ended it */
                exitCode?: number;
                /** @description The signal that ended it */
                signal?: string;
                /** @description How long it ran */
                durationMs: number;
            };
        } | {
            /** @enum {string} */
            type: "sandbox.checked";
            data: {
                /**
                 * @description How programs are kept apart
                 * @enum {string}
                 */
                driver: "bwrap" | "docker" | "seatbelt" | "e2b" | "none";
                /**
                 * @description What was found
                 * @enum {string}
                 */
                state: "verified" | "unavailable" | "unsandboxed";
                /** @description Why it is unavailable */
                reason?: string;
            };
        };
        CallRecord: {
            callId: string;
            /** @enum {string} */
            status: "queued" | "running" | "waiting" | "completed" | "failed" | "denied" | "cancelled";
            output?: components["schemas"]["Json"];
            error?: components["schemas"]["CallError"];
            artifact?: components["schemas"]["ArtifactReference"];
            warnings?: string[];
            /**
             * @description For a waiting call, the reason: a person, an external worker, or a nested call
             * @enum {string}
             */
            waitingFor?: "approval" | "external" | "call";
            /** @description For a call that needs approval: the approval to decide */
            approvalId?: string;
            tenant: string;
            tool: string;
            /** @description The version of the tool that ran it; absent in older calls */
            toolVersion?: string;
            input?: components["schemas"]["Json"];
            agent?: string;
            /** @description The skill that was active */
            skill?: string;
            principal: components["schemas"]["Principal"];
            /** @enum {string} */
            runtime: "chat" | "task" | "subagent" | "room" | "webhook" | "api" | "web" | "mcp" | "cli";
            sessionId?: string;
            parentId?: string;
            /**
             * @description Why the call has no effect: it shows what another would do, or tests the tool
             * @enum {string}
             */
            purpose?: "preview" | "test";
            /** @description The call that this one undoes */
            undoes?: string;
            /** @description The call that this one runs again */
            rerunOf?: string;
            /** @description The step from which; results of the other call were kept for those before it */
            rerunFrom?: string;
            /** @description Which step of its parent it is */
            stepKey?: string;
            attempt: number;
            /** @description Its final cost, in units */
            cost?: number;
            decision?: {
                /** @enum {string} */
                verdict: "allow" | "ask" | "deny";
                layer: string;
                rule: string;
                reasons: string[];
            };
            /** Format: date-time */
            requestedAt: string;
            /** Format: date-time */
            startedAt?: string;
            /** Format: date-time */
            settledAt?: string;
        };
        RerunRequest: {
            /** @description For a composition: the step to start from. Steps that do not follow it keep the results that they have */
            from?: string;
            /** @description Replaces the old input */
            input?: unknown;
        };
        CallStep: {
            id: string;
            /** @description Absent if it was not called yet and is hidden from the caller */
            tool?: string;
            /** @enum {string} */
            effect?: "read" | "write" | "destructive";
            /** @description The steps that must have ended first */
            waitsFor: string[];
            /** @description It runs for every item of a list */
            isList: boolean;
            /** @description It is skipped if its condition does not hold */
            isConditional: boolean;
            /**
             * @description `asking`: for a person; `skipped`: its condition did not hold; `unreached`: the call ended before it
             * @enum {string}
             */
            state: "pending" | "running" | "waiting" | "asking" | "completed" | "failed" | "cancelled" | "skipped" | "unreached";
            /** @description How many of its calls have ended */
            done: number;
            /** @description How many of them did not complete */
            failed: number;
            /** @description The number of items of its list */
            total?: number;
            /** @description Its call; of several, one that waits or has failed, else the first */
            callId?: string;
            /** Format: date-time */
            requestedAt?: string;
            /**
             * Format: date-time
             * @description Absent while one of its calls is open
             */
            settledAt?: string;
            /** @description Its result is that of the call that this one runs again */
            isKept: boolean;
            /** @description With `from`: whether it would run again */
            runsAgain?: boolean;
        };
        ArtifactText: {
            id: string;
            /** @description Size of the whole artifact */
            bytes: number;
            mediaType: string;
            offset: number;
            text: string;
            /** @description The offset of the next page; absent at the end */
            next?: number;
        };
        UndoState: {
            isPossible: boolean;
            /**
             * Format: date-time
             * @description When it becomes too late
             */
            until?: string;
            /** @description Why it cannot be undone */
            reason?: string;
            /** @description The call that has undone it, or is about to */
            undoneBy?: string;
        };
        RecordedTest: {
            tool: string;
            test: {
                label: string;
                input?: components["schemas"]["Json"];
                /** @description As in the definition of a tool */
                expect: {
                    [key: string]: components["schemas"]["Json"];
                };
                given?: {
                    [key: string]: components["schemas"]["Json"];
                };
            };
            /** @description Places of the input whose values were secret: they have to be filled in */
            missing: string[];
        };
        Label: {
            pattern: string;
            /** @description untrusted: text that others can write; private: data that is not for others */
            reads?: ("untrusted" | "private")[];
            /**
             * @description The effect a call leaves behind, and where
             * @enum {string}
             */
            effects?: "none" | "local" | "external" | "irreversible";
            /** @description It is in the configuration and applies to every tenant */
            isDeclared: boolean;
            setBy: string;
            /** @description Patterns that currently match no tool; in the response to a write */
            warnings?: string[];
        };
        LabelRequest: {
            /** @description untrusted: text that others can write; private: data that is not for others */
            reads?: ("untrusted" | "private")[];
            /**
             * @description The effect a call leaves behind, and where
             * @enum {string}
             */
            effects?: "none" | "local" | "external" | "irreversible";
        };
        /** @description A kind of data that a session has read, and the first call that read it. */
        SessionFlag: {
            /** @enum {string} */
            kind: "untrusted" | "private";
            callId: string;
            tool: string;
            /** Format: date-time */
            raisedAt: string;
        };
        Limit: {
            name: string;
            /**
             * @description The subjects whose calls are counted: each tenant, agent, key, member or tool separately
             * @enum {string}
             */
            of: "tenant" | "agent" | "key" | "member" | "tool";
            /** @description Which of them: an id, a name or a pattern with `*`; all if omitted */
            match?: string;
            /** @description Count only calls of these tools, together */
            tools?: string[];
            /** @description Calls in any 60 seconds */
            callsPerMinute?: number;
            /** @description Calls that run at once */
            concurrent?: number;
            /** @description Bytes of output in a day (UTC) */
            outputBytesPerDay?: number;
            /** @description Cost units in a day (UTC), as tools report them */
            costPerDay?: number;
            /** @description Cost units in a month (UTC), as tools report them */
            costPerMonth?: number;
            /** @description The configuration sets it for every tenant */
            isGlobal: boolean;
            /** @description The configuration declares it */
            isDeclared: boolean;
            /** Format: date-time */
            updatedAt?: string;
            updatedBy?: components["schemas"]["Principal"];
            /** @description Why it refuses everything: its stored form cannot be read */
            closed?: string;
            /** @description Usage by subject, the heaviest users first */
            use: {
                subject: string;
                used: {
                    /** @description Calls in any 60 seconds */
                    callsPerMinute?: number;
                    /** @description Calls that run at once */
                    concurrent?: number;
                    /** @description Bytes of output in a day (UTC) */
                    outputBytesPerDay?: number;
                    /** @description Cost units in a day (UTC), as tools report them */
                    costPerDay?: number;
                    /** @description Cost units in a month (UTC), as tools report them */
                    costPerMonth?: number;
                };
            }[];
            /** @description Pass as `after` to get the rest of `use`, on the limit itself */
            next?: string;
            /** @description Patterns that currently match no tool; in the response to a write */
            warnings?: string[];
        };
        /** @description At least one number; 0 allows nothing. */
        LimitSpec: {
            /**
             * @description The subjects whose calls are counted: each tenant, agent, key, member or tool separately
             * @enum {string}
             */
            of: "tenant" | "agent" | "key" | "member" | "tool";
            /** @description Which of them: an id, a name or a pattern with `*`; all if omitted */
            match?: string;
            /** @description Count only calls of these tools, together */
            tools?: string[];
            /** @description Calls in any 60 seconds */
            callsPerMinute?: number;
            /** @description Calls that run at once */
            concurrent?: number;
            /** @description Bytes of output in a day (UTC) */
            outputBytesPerDay?: number;
            /** @description Cost units in a day (UTC), as tools report them */
            costPerDay?: number;
            /** @description Cost units in a month (UTC), as tools report them */
            costPerMonth?: number;
        };
        Schedule: {
            id: string;
            tenant: string;
            name: string;
            /** @description For people */
            note?: string;
            tool: string;
            input?: components["schemas"]["Json"];
            when: {
                cron: string;
                timezone: string;
            } | {
                every: string;
                /** Format: date-time */
                from: string;
            } | {
                /** Format: date-time */
                at: string;
            };
            agent?: string;
            /**
             * @description If the previous run has not finished: skip the new run, or run both
             * @enum {string}
             */
            overlap: "skip" | "allow";
            /** @description How often a failed run is retried, with increasing delay (3) */
            retries: number;
            /** @enum {string} */
            state: "active" | "paused" | "disabled" | "finished";
            /** @description Why it is disabled */
            reason?: string;
            /** @description Consecutive failed runs; five disable it */
            failures: number;
            /** Format: date-time */
            nextRunAt?: string;
            /** Format: date-time */
            lastRunAt?: string;
            createdBy: components["schemas"]["Principal"];
            /** @description The principal whose permissions it runs with: the last to change its tool or input */
            runsFor: {
                /** @enum {string} */
                kind: "user" | "key" | "agent" | "worker" | "embed" | "system";
                id: string;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ScheduleRequest: {
            /** @description What it is called */
            name: string;
            /** @description Why it exists or what to know about it, for people */
            note?: string;
            /** @description The tool it calls */
            tool: string;
            /** @description The tool's input (`{}`) */
            input?: unknown;
            when: components["schemas"]["ScheduleWhen"];
            /** @description Call as this agent */
            agent?: string;
            /**
             * @description If the previous run has not finished: skip the new run, or run both
             * @enum {string}
             */
            overlap?: "skip" | "allow";
            /** @description How often a failed run is retried, with increasing delay (3) */
            retries?: number;
        };
        /** @description One of `cron`, `every` and `at`. */
        ScheduleWhen: {
            /**
             * @description Minute, hour, day, month, weekday, optionally preceded by seconds
             * @example 0 9 * * 1-5
             */
            cron?: string;
            /** @description An interval from 1s to 366d, such as 15m or 1h30m */
            every?: string;
            /** @description For `every`: the time from which the intervals are counted */
            from?: string;
            /** @description Once: `+20m`, or a date and time */
            at?: string;
            /**
             * @description For `cron` (UTC without it), and for `at` without an offset
             * @example Europe/Berlin
             */
            timezone?: string;
        };
        SchedulePreview: {
            when: {
                cron: string;
                timezone: string;
            } | {
                every: string;
                /** Format: date-time */
                from: string;
            } | {
                /** Format: date-time */
                at: string;
            };
            /** @description The next times; fewer if there are no more */
            times: string[];
        };
        SchedulePreviewRequest: {
            when: components["schemas"]["ScheduleWhen"];
            /**
             * @description How many times
             * @default 5
             */
            count?: number;
        };
        ScheduleChange: {
            /** @description What it is called */
            name?: string;
            /** @description Why it exists or what to know about it, for people; null removes it */
            note?: string | null;
            /** @description The tool it calls */
            tool?: string;
            /** @description The tool's input (`{}`) */
            input?: unknown;
            when?: components["schemas"]["ScheduleWhen"];
            /**
             * @description If the previous run has not finished: skip the new run, or run both
             * @enum {string}
             */
            overlap?: "skip" | "allow";
            /** @description How often a failed run is retried, with increasing delay (3) */
            retries?: number;
            /** @description True pauses it; false resumes it, also after it was disabled */
            paused?: boolean;
        };
        ScheduleRun: {
            runId: string;
            scheduleId: string;
            /** @enum {string} */
            trigger: "time" | "now";
            /** @enum {string} */
            status: "running" | "completed" | "failed" | "skipped";
            /** Format: date-time */
            dueAt: string;
            /** Format: date-time */
            firedAt: string;
            /** @description Earlier times that this run catches up; counted up to 100 */
            missed?: number;
            tries: number;
            /** @description The last call */
            callId?: string;
            error?: components["schemas"]["CallError"];
            /** Format: date-time */
            nextTryAt?: string;
            /** Format: date-time */
            finishedAt?: string;
        };
        Secrets: {
            items: {
                name: string;
                agent?: string;
                version: number;
                /** Format: date-time */
                updatedAt: string;
                /** @enum {boolean} */
                isEmpty?: true;
                /** @description Its purpose, for people */
                description?: string;
                /**
                 * Format: date-time
                 * @description When the value expires at its provider; Toolcrib keeps using it
                 */
                expiresAt?: string;
                usedBy: string[];
            }[];
            /** @description Only on the first page */
            requirements: components["schemas"]["SecretRequirement"][];
            /** @description Pass as `after` for the next page */
            next?: string;
        };
        SecretRequirement: {
            name: string;
            label: string;
            /** @enum {string} */
            type: "text" | "select";
            choices: string[];
            sensitive: boolean;
            /** @description No tool requires it */
            optional: boolean;
            /** @description Tools that require it */
            requiredBy: string[];
            /** @description Tools that use it if it is set */
            usedBy: string[];
            /** @description The tenant has a value for it */
            isSet: boolean;
            /** @description Agents with their own value, by name; the first hundred */
            agents: {
                agent: string;
                value?: string;
            }[];
            /** @description How many more there are */
            moreAgents?: number;
            /** @description Only for a choice from a list that is not sensitive */
            value?: string;
            /** @description A tool or pack provides a check for it */
            hasCheck: boolean;
        };
        /** @description A secret without its value. Values are never returned. */
        Secret: {
            name: string;
            agent?: string;
            version: number;
            /** Format: date-time */
            updatedAt: string;
            /** @enum {boolean} */
            isEmpty?: true;
            /** @description Its purpose, for people */
            description?: string;
            /**
             * Format: date-time
             * @description When the value expires at its provider; Toolcrib keeps using it
             */
            expiresAt?: string;
        };
        SecretValue: {
            /** @description Never returned */
            value: string;
            /** @description This agent's own value, which overrides the tenant's */
            agent?: string;
            /** @description Its purpose, for people; never the value */
            description?: string | null;
            /**
             * Format: date-time
             * @description When the value expires at its provider; people are warned in advance
             */
            expiresAt?: string | null;
        };
        SecretNotes: {
            /** @description This agent's own secret */
            agent?: string;
            /** @description Its purpose, for people; never the value */
            description?: string | null;
            /**
             * Format: date-time
             * @description When the value expires at its provider; people are warned in advance
             */
            expiresAt?: string | null;
        };
        SecretTest: {
            name: string;
            /** @enum {string} */
            status: "good" | "bad" | "unchecked";
            message?: string;
            /** @description Tools whose checks were run */
            checkedBy: string[];
        };
        Keyring: {
            /** @description New secrets are sealed with this key */
            activeId: string;
            /** @description The first unused key in the ring: the next rotation uses it */
            nextId?: string;
            /** @description The source of this node's keys */
            place: string;
            keys: {
                secrets: number;
                inputs: number;
                id: string;
                isActive: boolean;
                /** @description This node holds it */
                isHeld: boolean;
                pepper: boolean;
                /** @description Nodes without it */
                missingOn: string[];
            }[];
        };
        KeyringRotation: {
            keyId: string;
            hasBegun: boolean;
            moved: {
                secrets: number;
                inputs: number;
            };
            left: {
                secrets: number;
                inputs: number;
            };
            /** @description If false, repeat the request with `resume` for the next step */
            isDone: boolean;
        };
        KeyringRotationRequest: {
            /** @description 32 bytes in base64 or hex, or `id:key` */
            key?: string;
            /** @description Continue a rotation, but do not start one */
            resume?: boolean;
        };
        AuditEntry: {
            /** @description An opaque cursor: pass it as `after` to continue */
            id: string;
            /** @description Number within its call, from 1, without gaps */
            seq: number;
            /** Format: date-time */
            at: string;
            tenant: string;
            callId?: string;
            sessionId?: string;
            agent?: string;
            principal: components["schemas"]["Principal"];
            /** @description Of a member or a key */
            principalName?: string;
            /** @description The tool it is about */
            tool?: string;
        } & components["schemas"]["EventFact"];
        AuditCheck: {
            segments: number;
            events: number;
            from?: {
                segment: number;
                /** Format: date-time */
                at: string;
            };
            /** @description Keep `segment:digest` elsewhere and pass it later as `anchor` */
            to?: {
                segment: number;
                digest: string;
                /** Format: date-time */
                at: string;
            };
            problems: {
                /** @enum {string} */
                kind: "changed" | "removed" | "inserted" | "segment_changed" | "segments_missing" | "link_broken" | "end_changed" | "sealed_after_break" | "anchor_differs" | "anchor_missing";
                segment: number;
                message: string;
                afterEvent?: string;
                beforeEvent?: string;
                found?: string[];
                missing?: number;
            }[];
            removed?: {
                records: number;
                /** Format: date-time */
                until: string;
            };
            unsealed?: number;
            next?: number;
        };
        ApiKey: {
            id: string;
            tenant: string;
            name: string;
            scopes: string[];
            agent?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt?: string;
            /** @enum {string} */
            toolMode?: "list" | "search" | "auto" | "code";
            /** @description The member it belongs to; absent: the first owner. It can do no more than they may */
            owner?: {
                tenant: string;
                id: string;
            };
            /** Format: date-time */
            lastUsedAt?: string;
            /** Format: date-time */
            rotatedAt?: string;
            /**
             * Format: date-time
             * @description How long the secret before the rotation works
             */
            oldSecretUntil?: string;
            /** Format: date-time */
            revokedAt?: string;
            /** @description For a visitor: the key that issues their tokens */
            parent?: string;
            /** @description The name of the visitor */
            visitor?: string;
        };
        IssuedKey: {
            key: components["schemas"]["ApiKey"];
            /** @description Only in this response */
            token: string;
            /** @description Scopes that grant nothing at the moment */
            warnings?: string[];
        };
        KeyRequest: {
            /** @description The purpose of the key */
            name: string;
            /**
             * @example [
             *       "tools.call",
             *       "audit.read"
             *     ]
             */
            scopes: string[];
            /** @description Bind the key to this agent */
            agent?: string;
            /**
             * @description List all tools, offer a search, or offer code.run with the types of all
             * @enum {string}
             */
            toolMode?: "list" | "search" | "auto" | "code";
            /**
             * Format: date-time
             * @description When it stops working
             */
            expiresAt?: string;
        };
        VisitorToken: {
            key: components["schemas"]["ApiKey"];
            /** @description Only in this response */
            token: string;
            /** Format: date-time */
            expiresAt: string;
        };
        VisitorTokenRequest: {
            /** @description Your own stable id for the person, not an email address */
            visitor: string;
            /**
             * @example [
             *       "agents.chat",
             *       "tools.call"
             *     ]
             */
            scopes: string[];
            /** @description Bind the token to this agent */
            agent?: string;
            /**
             * @description An hour by default, a day at most
             * @default 3600
             */
            expiresInSeconds?: number;
        };
        TokenReport: {
            id: string;
            /**
             * @description `replaced`: the key has a newer secret; `not_a_key`: it only looks like a key, and `id` is its beginning
             * @enum {string}
             */
            state: "live" | "replaced" | "expired" | "revoked" | "unknown" | "not_a_key";
            name?: string;
        };
        TokenCheck: {
            /** @description Whole tokens */
            tokens: string[];
        };
        KeyRotation: {
            /**
             * @description How long the old secret keeps working (0)
             * @default 0
             */
            overlapSeconds?: number;
        };
        UsageRow: {
            /** @description The day, tool, agent or principal */
            subject: string;
            name?: string;
            calls: number;
            completed: number;
            failed: number;
            denied: number;
            cancelled: number;
            runMs: number;
            outputBytes: number;
            cost: number;
        };
        ToolUsage: {
            tool: string;
            calls: number;
            completed: number;
            failed: number;
            denied: number;
            cancelled: number;
            /** @description 95th percentile of the run time, to within a fifth */
            p95Ms?: number;
            /** @description Calls of each day, oldest first */
            days: number[];
        };
        Tenant: {
            slug: string;
            name: string;
            /**
             * @description Nobody can call or sign in while it is suspended; its data is kept
             * @enum {string}
             */
            status: "active" | "suspended";
            /** @description Why it is suspended */
            reason?: string;
            /** @description The configuration declares it */
            isDeclared: boolean;
            /** Format: date-time */
            createdAt: string;
        };
        TenantRequest: {
            /**
             * @description Lower case letters, digits and dashes, starting with a letter
             * @example acme
             */
            slug: string;
            /** @description Its display name; the slug by default */
            name?: string;
        };
        TenantChange: {
            /** @description Its display name */
            name?: string;
            /**
             * @description Nobody can call or sign in while it is suspended; its data is kept
             * @enum {string}
             */
            status?: "active" | "suspended";
            /** @description Why it is suspended; everybody in the tenant sees it */
            reason?: string;
        };
        WhoAmI: {
            principal: components["schemas"]["Principal"];
            tenant: string;
            /** @description The tenant you belong to, while you act in another */
            home?: string;
            permissions: string[];
            role?: string;
            name?: string;
            email?: string;
            /** @description The agent that the key is bound to */
            agent?: string;
            /** @description Send it as `Last-Event-ID` to `GET /api/v1/changes` to receive everything that happens after this response */
            changesFrom: string;
        };
        Member: {
            id: string;
            tenant: string;
            email?: string;
            name: string;
            role: string;
            /**
             * @description In addition to those of the role
             * @example [
             *       "billing.refund"
             *     ]
             */
            permissions: string[];
            /** @enum {string} */
            status: "active" | "suspended";
            /** Format: date-time */
            createdAt: string;
        };
        MemberRequest: {
            /**
             * @description Stored in lower case
             * @example ada@example.com
             */
            email: string;
            /** @description Their display name; the address by default */
            name?: string;
            /**
             * @description owner, admin, operator, member, viewer, auditor, or a configured role
             * @default member
             */
            role?: string;
            /**
             * @description In addition to those of the role
             * @example [
             *       "billing.refund"
             *     ]
             */
            permissions?: string[];
        };
        MemberChange: {
            /** @description Their display name */
            name?: string;
            /** @description owner, admin, operator, member, viewer, auditor, or a configured role */
            role?: string;
            /**
             * @description In addition to those of the role
             * @example [
             *       "billing.refund"
             *     ]
             */
            permissions?: string[];
            /** @enum {string} */
            status?: "active" | "suspended";
        };
        ListedSignIn: {
            id: string;
            member: string;
            /** @enum {string} */
            method: "link" | "password" | "oidc" | "invitation";
            userAgent?: string;
            address?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastSeenAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** @description The sign-in that this request uses */
            isCurrent: boolean;
        };
        SignInLinkRequest: {
            /** @description The id of the member */
            member?: string;
        };
        Account: {
            tenant: string;
            tenantName: string;
            member: components["schemas"]["Member"];
            hasPassword: boolean;
            /** @description The current password is needed to set a new one */
            needsPassword: boolean;
            signIn?: components["schemas"]["SignIn"];
        };
        SignIn: {
            id: string;
            member: string;
            /** @enum {string} */
            method: "link" | "password" | "oidc" | "invitation";
            userAgent?: string;
            address?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastSeenAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        AccountChange: {
            /** @description Your display name */
            name: string;
        };
        PasswordRequest: {
            /** Format: password */
            current?: string;
            /** Format: password */
            password: string;
            /** @description Your address, if you have none yet */
            email?: string;
        };
        Invitation: {
            id: string;
            email: string;
            role: string;
            permissions: string[];
            /** @description `user:<id>` or `key:<id>` */
            invitedBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** @enum {string} */
            state: "pending" | "expired";
        };
        InvitationRequest: {
            /** @description Their address */
            email: string;
            /** @description The role they get */
            role: string;
            /** @description In addition to those of the role */
            permissions?: string[];
        };
        Skill: {
            name: string;
            description: string;
            /** @description SHA-256 of its content, in hex */
            version: string;
            /** @description The configuration declares it */
            isDeclared: boolean;
            /** Format: date-time */
            installedAt: string;
            installedBy: components["schemas"]["Principal"];
            /** @description Number of versions that are kept */
            versions: number;
        };
        SkillDetail: {
            name: string;
            description: string;
            /** @description SHA-256 of its content, in hex */
            version: string;
            /** @description The configuration declares it */
            isDeclared: boolean;
            /** Format: date-time */
            installedAt: string;
            installedBy: components["schemas"]["Principal"];
            versions: {
                /** @description SHA-256 of its content, in hex */
                version: string;
                files: number;
                bytes: number;
                /** Format: date-time */
                installedAt: string;
                installedBy: components["schemas"]["Principal"];
            }[];
            manifest: components["schemas"]["SkillManifest"];
            /** @description SKILL.md after its front matter */
            instructions: string;
            files: {
                path: string;
                bytes: number;
                isText: boolean;
            }[];
            /** @description Agents that have it; the first 100 */
            enabledBy: {
                agent: string;
                /** @description SHA-256 of its content, in hex */
                version: string;
                /** Format: date-time */
                enabledAt: string;
                enabledBy: components["schemas"]["Principal"];
            }[];
            /** @description Required tools that this tenant does not have; they are granted once they exist */
            unknownTools: string[];
        };
        SkillManifest: {
            name: string;
            description: string;
            /** @description Tools that an agent with the skill is granted */
            tools: string[];
            /** @description The tools that may be used while the skill is active; absent means none */
            permissions?: {
                profile?: string;
                allow?: string[];
                deny?: string[];
            };
            /** @description Arguments of the skill when it is used as a prompt */
            arguments?: {
                name: string;
                title?: string;
                description?: string;
                required?: boolean;
            }[];
            license?: string;
            metadata: {
                [key: string]: components["schemas"]["Json"];
            };
        };
        SkillPin: {
            name: string;
            /** @description SHA-256 of its content, in hex */
            version: string;
            /** Format: date-time */
            enabledAt: string;
            enabledBy: components["schemas"]["Principal"];
        };
        SkillChange: {
            agent: string;
            skill: string;
            /** @description SHA-256 of its content, in hex */
            version?: string;
            /** @description SHA-256 of its content, in hex */
            previous?: string;
            grants: {
                /** @description Newly granted */
                added: string[];
                /** @description No longer granted */
                removed: string[];
                /** @description Released by the skill, but still held by another source */
                kept: string[];
            };
            /** @description Required tools that this tenant does not have; they are granted once they exist */
            unknownTools: string[];
            isDryRun: boolean;
        };
        SkillPinRequest: {
            /** @description A version, or at least its first 8 characters; the newest if omitted */
            version?: string;
            /** @description Show what would change, and change nothing */
            dryRun?: boolean;
        };
        AgentSummary: {
            slug: string;
            name?: string;
            model: string;
            /** @enum {string} */
            autonomy: "conservative" | "standard" | "autonomous";
            /** @description Why it cannot be read; everything that depends on it is denied */
            closed?: string;
            /** @description Only the configuration can change it */
            isDeclared: boolean;
            /** @description Pass it back to change only this version */
            version: number;
            /** Format: date-time */
            updatedAt: string;
            updatedBy: components["schemas"]["Principal"];
        };
        Agent: {
            slug: string;
            name?: string;
            model: string;
            /** @enum {string} */
            autonomy: "conservative" | "standard" | "autonomous";
            /** @description Why it cannot be read; everything that depends on it is denied */
            closed?: string;
            /** @description Only the configuration can change it */
            isDeclared: boolean;
            /** @description Pass it back to change only this version */
            version: number;
            /** Format: date-time */
            updatedAt: string;
            updatedBy: components["schemas"]["Principal"];
            instructions: string;
            tools: {
                profile?: string;
                allow: string[];
                deny: string[];
            };
            settings: {
                [key: string]: {
                    /** @description False hides the tool from this agent */
                    enabled?: boolean;
                    /** @description Require approval for every call */
                    needsApproval?: boolean;
                    /**
                     * @description Answer when it is done, or at once and run it afterwards
                     * @enum {string}
                     */
                    execution?: "inline" | "background";
                    /** @description Shorter than the tool's own timeout, in milliseconds */
                    timeoutMs?: number;
                    /** @description Values for the tool's own options, according to its options schema */
                    options?: {
                        [key: string]: unknown;
                    };
                };
            };
            hooks: {
                confirm: string[];
                log: string[];
                silent: string[];
            };
            permissions?: string[];
            /** @enum {string} */
            toolMode: "list" | "search" | "auto" | "code";
            shortNames: boolean;
            /**
             * @description May files be changed in its workspaces: by nobody, by tools after a person has agreed, or by tools without asking; `workspaces.mode` unless set. Applies to new workspaces
             * @enum {string}
             */
            workspaceMode?: "read-only" | "ask" | "free";
            /** @enum {string} */
            subagentWorkspace: "share" | "own";
            attachmentsToWorkspace: boolean;
            memoryEnabled: boolean;
            knowledgeEnabled: boolean;
            /** @description Requests with the calls it should make for them, run by toolcrib eval */
            evals?: {
                /** @description A title; the request unless set */
                label?: string;
                /** @description The request, as a person writes it */
                say: string;
                /** @description The agent that gets it */
                as?: string;
                /** @description The expected choice of tools */
                expect: {
                    /** @description Calls that should be made, in any order */
                    calls?: {
                        /** @description The tool */
                        tool: string;
                        /** @description A pattern for its input: only the listed keys are compared */
                        input?: unknown;
                    }[];
                    /** @description Tools that should not be called */
                    not?: string[];
                    /** @description The most calls that may be made */
                    maxCalls?: number;
                    /** @description A condition on answer and calls, or a pattern for the answer */
                    answer?: unknown;
                };
                /** @description Outputs of tools, by name: they are not called */
                given?: {
                    [key: string]: unknown;
                };
            }[];
            grants: {
                pattern: string;
                /** @enum {string} */
                kind: "allow" | "deny";
                /** @description Its sources: `manual`, `global` for the configuration, `skill:<name>` */
                sources: string[];
            }[];
            skills: {
                name: string;
                version: string;
            }[];
            /** @description Grants, hooks and settings that match no tool, for example */
            warnings: string[];
        };
        AgentRequest: {
            /** @description Its name in addresses, keys and agent:<slug> */
            slug: string;
            /** @description Display name */
            name?: string;
            /**
             * @description demo, or <provider>/<model>
             * @default demo
             */
            model?: string;
            /**
             * @description Its system prompt
             * @default
             */
            instructions?: string;
            /**
             * @description Its grants; without any it has no tools
             * @default {}
             */
            tools?: {
                /** @description A built-in or custom profile */
                profile?: string;
                /**
                 * @description Tool names or patterns: file.read, file.*, group:fs, pack:web, *
                 * @default []
                 */
                allow?: string[];
                /**
                 * @description Tool names or patterns: file.read, file.*, group:fs, pack:web, *
                 * @default []
                 */
                deny?: string[];
            };
            /**
             * @description By tool
             * @default {}
             */
            settings?: {
                [key: string]: {
                    /** @description False hides the tool from this agent */
                    enabled?: boolean;
                    /** @description Require approval for every call */
                    needsApproval?: boolean;
                    /**
                     * @description Answer when it is done, or at once and run it afterwards
                     * @enum {string}
                     */
                    execution?: "inline" | "background";
                    /** @description Shorter than the tool's own timeout, in milliseconds */
                    timeoutMs?: number;
                    /** @description Values for the tool's own options, according to its options schema */
                    options?: {
                        [key: string]: unknown;
                    };
                };
            };
            /**
             * @description Which calls need approval: conservative, every call with an effect; standard and autonomous, those that a rule or the tool names
             * @default standard
             * @enum {string}
             */
            autonomy?: "conservative" | "standard" | "autonomous";
            /**
             * @description Tools whose calls are always confirmed, logged or kept quiet
             * @default {}
             */
            hooks?: {
                /**
                 * @description Tool names or patterns: file.read, file.*, group:fs, pack:web, *
                 * @default []
                 */
                confirm?: string[];
                /**
                 * @description Tool names or patterns: file.read, file.*, group:fs, pack:web, *
                 * @default []
                 */
                log?: string[];
                /**
                 * @description Tool names or patterns: file.read, file.*, group:fs, pack:web, *
                 * @default []
                 */
                silent?: string[];
            };
            /** @description The permissions it may use of those its caller has; all unless set */
            permissions?: string[];
            /**
             * @description List all its tools, or let it search them; auto: depends on their number; code: it writes programs that call them, if it may use code.run
             * @default auto
             * @enum {string}
             */
            toolMode?: "list" | "search" | "auto" | "code";
            /**
             * @description Offer file and shell tools as bash, read, write, edit, glob and grep, the names that coding models know
             * @default false
             */
            shortNames?: boolean;
            /**
             * @description May files be changed in its workspaces: by nobody, by tools after a person has agreed, or by tools without asking; `workspaces.mode` unless set. Applies to new workspaces
             * @enum {string}
             */
            workspaceMode?: "read-only" | "ask" | "free";
            /**
             * @description Do agents that it starts work in its workspace, or in one of their own
             * @default share
             * @enum {string}
             */
            subagentWorkspace?: "share" | "own";
            /**
             * @description Put files that people attach to messages into its workspace, and give it their paths
             * @default false
             */
            attachmentsToWorkspace?: boolean;
            /**
             * @description False hides the tools of the pack memory
             * @default true
             */
            memoryEnabled?: boolean;
            /**
             * @description False hides the tools of the pack knowledge
             * @default true
             */
            knowledgeEnabled?: boolean;
            /** @description Describes what other agents can ask it to do; if set, it becomes the tool agent:<slug> */
            description?: string;
            /** @description Model calls per turn (default 15) */
            maxSteps?: number;
            /** @description Tokens that one turn may use in total */
            maxTurnTokens?: number;
            /** @description Tools that the model provider runs itself, such as openai.web_search */
            providerTools?: {
                /** @description <provider>.<tool>, as the AI SDK names it */
                tool: string;
                /**
                 * @description Its settings, as the AI SDK names them
                 * @default {}
                 */
                args?: {
                    [key: string]: unknown;
                };
            }[];
            /** @description Requests with the calls it should make for them, run by toolcrib eval */
            evals?: {
                /** @description A title; the request unless set */
                label?: string;
                /** @description The request, as a person writes it */
                say: string;
                /** @description The agent that gets it */
                as?: string;
                /** @description The expected choice of tools */
                expect: {
                    /** @description Calls that should be made, in any order */
                    calls?: {
                        /** @description The tool */
                        tool: string;
                        /** @description A pattern for its input: only the listed keys are compared */
                        input?: unknown;
                    }[];
                    /** @description Tools that should not be called */
                    not?: string[];
                    /** @description The most calls that may be made */
                    maxCalls?: number;
                    /** @description A condition on answer and calls, or a pattern for the answer */
                    answer?: unknown;
                };
                /** @description Outputs of tools, by name: they are not called */
                given?: {
                    [key: string]: unknown;
                };
            }[];
        };
        AgentChange: {
            /** @description Display name */
            name?: string | null;
            model?: string;
            instructions?: string;
            /** @description Replaces manual grants; grants held by skills stay */
            tools?: {
                profile?: string | null;
                /** @description Tool names or patterns: file.read, file.*, group:fs, pack:web, * */
                allow?: string[];
                /** @description Tool names or patterns: file.read, file.*, group:fs, pack:web, * */
                deny?: string[];
            };
            settings?: {
                [key: string]: {
                    /** @description False hides the tool from this agent */
                    enabled?: boolean;
                    /** @description Require approval for every call */
                    needsApproval?: boolean;
                    /**
                     * @description Answer when it is done, or at once and run it afterwards
                     * @enum {string}
                     */
                    execution?: "inline" | "background";
                    /** @description Shorter than the tool's own timeout, in milliseconds */
                    timeoutMs?: number;
                    /** @description Values for the tool's own options, according to its options schema */
                    options?: {
                        [key: string]: unknown;
                    };
                };
            };
            /** @enum {string} */
            autonomy?: "conservative" | "standard" | "autonomous";
            hooks?: {
                /**
                 * @description Tool names or patterns: file.read, file.*, group:fs, pack:web, *
                 * @default []
                 */
                confirm?: string[];
                /**
                 * @description Tool names or patterns: file.read, file.*, group:fs, pack:web, *
                 * @default []
                 */
                log?: string[];
                /**
                 * @description Tool names or patterns: file.read, file.*, group:fs, pack:web, *
                 * @default []
                 */
                silent?: string[];
            };
            /** @description The permissions it may use of those its caller has; all unless set */
            permissions?: string[] | null;
            /** @enum {string} */
            toolMode?: "list" | "search" | "auto" | "code";
            shortNames?: boolean;
            /**
             * @description May files be changed in its workspaces: by nobody, by tools after a person has agreed, or by tools without asking; `workspaces.mode` unless set. Applies to new workspaces
             * @enum {string|null}
             */
            workspaceMode?: "read-only" | "ask" | "free" | null;
            /** @enum {string} */
            subagentWorkspace?: "share" | "own";
            attachmentsToWorkspace?: boolean;
            memoryEnabled?: boolean;
            knowledgeEnabled?: boolean;
            /** @description A description makes it the tool agent:<slug>; null removes the tool */
            description?: string | null;
            /** @description Model calls per turn (default 15) */
            maxSteps?: number | null;
            /** @description Tokens that one turn may use in total */
            maxTurnTokens?: number | null;
            /** @description Tools that the model provider runs itself, such as openai.web_search */
            providerTools?: {
                /** @description <provider>.<tool>, as the AI SDK names it */
                tool: string;
                /**
                 * @description Its settings, as the AI SDK names them
                 * @default {}
                 */
                args?: {
                    [key: string]: unknown;
                };
            }[] | null;
            /** @description Requests with the calls it should make for them, run by toolcrib eval */
            evals?: {
                /** @description A title; the request unless set */
                label?: string;
                /** @description The request, as a person writes it */
                say: string;
                /** @description The agent that gets it */
                as?: string;
                /** @description The expected choice of tools */
                expect: {
                    /** @description Calls that should be made, in any order */
                    calls?: {
                        /** @description The tool */
                        tool: string;
                        /** @description A pattern for its input: only the listed keys are compared */
                        input?: unknown;
                    }[];
                    /** @description Tools that should not be called */
                    not?: string[];
                    /** @description The most calls that may be made */
                    maxCalls?: number;
                    /** @description A condition on answer and calls, or a pattern for the answer */
                    answer?: unknown;
                };
                /** @description Outputs of tools, by name: they are not called */
                given?: {
                    [key: string]: unknown;
                };
            }[] | null;
            /** @description Change it only if it still has this version */
            version?: number;
        };
        GrantRequest: {
            /** @description A tool, or a pattern: billing.find, billing.*, group:fs, pack:web, * */
            pattern: string;
            /**
             * @default allow
             * @enum {string}
             */
            kind?: "allow" | "deny";
        };
        SimulatedChange: {
            agent: string;
            /** @description Tools it would start to see */
            gains: string[];
            /** @description Tools it would no longer see */
            loses: string[];
            /** @description Those of `loses` that need approval now */
            asked: string[];
            /** @description Tools that would need approval */
            asks: string[];
            /** @description Tools that would no longer need approval */
            allows: string[];
        };
        /** @description The documents that would be saved. Omitted documents are unchanged; null deletes. */
        SimulationRequest: {
            policy?: {
                /** @description A built-in or custom profile */
                profile?: string;
                /**
                 * @description Tool names or patterns: file.read, file.*, group:fs, pack:web, *
                 * @default []
                 */
                allow?: string[];
                /**
                 * @description Tool names or patterns: file.read, file.*, group:fs, pack:web, *
                 * @default []
                 */
                deny?: string[];
            } | null;
            providers?: {
                [key: string]: {
                    /** @description A built-in or custom profile */
                    profile?: string;
                    /**
                     * @description Tool names or patterns: file.read, file.*, group:fs, pack:web, *
                     * @default []
                     */
                    allow?: string[];
                    /**
                     * @description Tool names or patterns: file.read, file.*, group:fs, pack:web, *
                     * @default []
                     */
                    deny?: string[];
                } | null;
            };
            profiles?: {
                [key: string]: {
                    /**
                     * @description Tool names or patterns: file.read, file.*, group:fs, pack:web, *
                     * @default []
                     */
                    allow?: string[];
                    /**
                     * @description Tool names or patterns: file.read, file.*, group:fs, pack:web, *
                     * @default []
                     */
                    deny?: string[];
                } | null;
            };
            groups?: {
                [key: string]: string[] | null;
            };
            packs?: {
                [key: string]: boolean | null;
            };
            agents?: {
                [key: string]: components["schemas"]["AgentChange"];
            };
            /** @enum {string} */
            runtime?: "chat" | "task" | "subagent" | "room" | "webhook" | "api" | "web" | "mcp" | "cli";
            /** @description Only this agent */
            agent?: string;
            /** @description The `next` of the previous page */
            after?: string;
            limit?: number;
        };
        PatternMatch: {
            pattern: string;
            count: number;
            /** @description The first few */
            tools: string[];
            problem?: string;
        };
        /** @description A rule of the tenant: its policy, a provider's level, a profile, a group or a pack. */
        PolicyDocument: {
            /** @enum {string} */
            kind: "policy" | "provider" | "profile" | "group" | "pack";
            name: string;
            body?: components["schemas"]["Json"];
            /** @description Why it cannot be read; everything that depends on it is denied */
            closed?: string;
            /** @description Only the configuration can change it */
            isDeclared: boolean;
            /** @description Pass it back to change only this version */
            version: number;
            /** Format: date-time */
            updatedAt: string;
            updatedBy: components["schemas"]["Principal"];
            /** @description Patterns that currently match no tool; in the response to a write */
            warnings?: string[];
        };
        CatalogueEntry: {
            tool: string;
            title: string;
            /** @enum {string} */
            state: "present" | "gone";
            /** Format: date-time */
            firstSeenAt: string;
            /** Format: date-time */
            goneAt?: string;
            /**
             * Format: date-time
             * @description Grants and settings that name it are kept until then
             */
            keptUntil?: string;
            /** @description Agents that name it */
            agents: string[];
        };
        NetworkRules: {
            /** @description The tenant's own rules */
            rules: components["schemas"]["NetworkRule"][];
            /** @description Rules for every tenant: the configuration and the defaults */
            defaults: components["schemas"]["NetworkRule"][];
        };
        NetworkRule: {
            id: string;
            agent?: string;
            pack?: string;
            allow: string[];
            deny: string[];
            note?: string;
            /** @description `toolcrib`, `configuration`, or who set it */
            setBy: string;
            /** Format: date-time */
            setAt?: string;
            updatedBy?: components["schemas"]["Principal"];
            version?: number;
            /** @description The configuration declares it for this tenant, and alone changes it */
            isDeclared?: boolean;
            /** @description Why it cannot be read; everything that depends on it is denied */
            closed?: string;
        };
        NetworkRulesRequest: {
            rules: {
                /** @description Only for this agent and those below it */
                agent?: string;
                /** @description Only for tools of this pack; `code` for tools of your own */
                pack?: string;
                /**
                 * @description Hosts: `example.com`, `*.example.com`, `example.com:8443`, `*`
                 * @default []
                 */
                allow?: string[];
                /**
                 * @description Hosts that are excluded, whatever allows them
                 * @default []
                 */
                deny?: string[];
                /** @description Why it is there */
                note?: string;
                /** @description The name that messages and the console use */
                id: string;
            }[];
        };
        NetworkExplanation: {
            /** @enum {string} */
            verdict: "allow" | "deny";
            /** @description The pattern that decided, or the reason */
            rule: string;
            /** @description `global`, `tenant`, `agent:<slug>`, `address` or `default` */
            level: string;
            setBy: string;
            /** @description The rule with the pattern */
            id?: string;
            host: string;
            port: number;
            levels: {
                /** @enum {string} */
                verdict: "allow" | "deny";
                /** @description The pattern that decided, or the reason */
                rule: string;
                /** @description `global`, `tenant`, `agent:<slug>`, `address` or `default` */
                level: string;
                setBy: string;
                /** @description The rule with the pattern */
                id?: string;
            }[];
        };
        NetworkPreview: {
            /** @description Hosts whose verdict would change */
            items: {
                host: string;
                port: number;
                agent?: string;
                pack: string;
                before: {
                    /** @enum {string} */
                    verdict: "allow" | "deny";
                    /** @description The pattern that decided, or the reason */
                    rule: string;
                    /** @description `global`, `tenant`, `agent:<slug>`, `address` or `default` */
                    level: string;
                    setBy: string;
                    /** @description The rule with the pattern */
                    id?: string;
                };
                after: {
                    /** @enum {string} */
                    verdict: "allow" | "deny";
                    /** @description The pattern that decided, or the reason */
                    rule: string;
                    /** @description `global`, `tenant`, `agent:<slug>`, `address` or `default` */
                    level: string;
                    setBy: string;
                    /** @description The rule with the pattern */
                    id?: string;
                };
            }[];
            /** @description How many verdicts stay */
            unchanged: number;
            /** @description There are more than were compared */
            isPartial: boolean;
        };
        Approval: {
            id: string;
            tenant: string;
            callId: string;
            tool: string;
            input?: components["schemas"]["Json"];
            /** @description Incremented when someone edits the input */
            revision: number;
            reasons: string[];
            requestedBy: {
                principal: components["schemas"]["Principal"];
                agent?: string;
            };
            sessionId?: string;
            /** @enum {string} */
            status: "pending" | "approved" | "rejected" | "expired" | "cancelled";
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            decidedAt?: string;
            /** @description How many different people must approve */
            needed: number;
            approvers?: string[];
            isRequesterBarred: boolean;
            decisions: {
                by: components["schemas"]["Principal"];
                /** @description For a key: the person who owns it. People are counted, not keys */
                person?: {
                    /** @enum {string} */
                    kind: "user" | "key" | "agent" | "worker" | "embed" | "system";
                    id: string;
                };
                /** @enum {string} */
                decision: "approve" | "reject";
                /** Format: date-time */
                at: string;
                reason?: string;
                isEdited: boolean;
                revision: number;
            }[];
            preview?: components["schemas"]["ApprovalPreview"];
        };
        /** @description The changes that the call would make */
        ApprovalPreview: {
            /** @enum {string} */
            state: "made" | "unavailable";
            /** Format: date-time */
            at: string;
            /** @description The call that made it */
            callId?: string;
            /** @description The call waits for approval again if the changes are others when it runs */
            binds: boolean;
            /**
             * @description Every call needs its own approval: it can't be remembered
             * @enum {boolean}
             */
            isForThisCall?: true;
            summary?: string;
            changes?: components["schemas"]["PreviewChange"][];
            /** @description How many changes there would be, where not all are listed */
            count?: number;
            warnings?: string[];
            /** @description Of all changes, in any order: the same for the same changes */
            digest?: string;
            /** @description Why it is unavailable */
            error?: {
                /** @enum {string} */
                code: "tool_not_found" | "invalid_input" | "invalid_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "body_too_large" | "unsupported_media_type" | "idempotency_mismatch" | "already_settled" | "already_decided" | "conflict" | "sign_in_failed" | "tenant_suspended" | "rate_limited" | "conversation_busy" | "shutting_down" | "denied" | "approval_required" | "cannot_wait" | "group_closed" | "approval_rejected" | "preview_changed" | "not_undoable" | "approval_expired" | "timeout" | "cancelled" | "interrupted" | "replay_diverged" | "outcome_unknown" | "upstream_failed" | "client_unable" | "sign_in_required" | "model_failed" | "tool_failed" | "tool_crashed" | "output_invalid" | "secret_missing" | "budget_exceeded" | "quota_exceeded" | "sandbox_unavailable" | "workspace_unavailable" | "call_too_deep" | "invalid_tool" | "invalid_schema" | "name_taken" | "invalid_config" | "invalid_policy" | "invalid_skill" | "record_failed" | "store_unavailable" | "data_locked" | "data_read_only" | "data_newer" | "data_damaged" | "wrong_master_key" | "server_unreachable" | "internal";
                message: string;
            };
            /** @description The preview that was approved, if it has changed since */
            previous?: {
                summary: string;
                changes: components["schemas"]["PreviewChange"][];
                /** @description How many changes there would be, where not all are listed */
                count?: number;
                warnings?: string[];
                /** @description Of all changes, in any order: the same for the same changes */
                digest: string;
            };
            timesChanged?: number;
        };
        PreviewChange: {
            /** @description What would change */
            target: string;
            before?: components["schemas"]["Json"];
            after?: components["schemas"]["Json"];
            /** @description A unified diff, for text */
            diff?: string;
        };
        DecisionRequest: {
            /** @enum {string} */
            decision: "approve" | "reject";
            /** @description Run the call with this input instead */
            input?: unknown;
            /** @description The caller and its model see the reason of a rejection */
            reason?: string;
            /** @description The revision you looked at; 409 when it was edited since */
            revision?: number;
            /** @description Let similar calls through without asking */
            remember?: {
                /**
                 * @description How long, at most 30d
                 * @example 2h
                 */
                for: string;
                /** @description The same input (the default), any input (not for destructive tools), or the part of the input that must be equal, with `*` in strings */
                match?: ("same-input" | "any-input") | {
                    [key: string]: components["schemas"]["Json"];
                };
            };
        };
        DecisionAnswer: {
            id: string;
            approval?: components["schemas"]["Approval"];
            error?: {
                code: string;
                message: string;
                issues?: components["schemas"]["Issue"][];
            };
        };
        DecisionsRequest: {
            decisions: {
                /** @description The approval */
                id: string;
                /** @enum {string} */
                decision: "approve" | "reject";
                /** @description Run the call with this input instead */
                input?: unknown;
                /** @description The caller and its model see the reason of a rejection */
                reason?: string;
                /** @description The revision you looked at; 409 when it was edited since */
                revision?: number;
                /** @description Let similar calls through without asking */
                remember?: {
                    /**
                     * @description How long, at most 30d
                     * @example 2h
                     */
                    for: string;
                    /** @description The same input (the default), any input (not for destructive tools), or the part of the input that must be equal, with `*` in strings */
                    match?: ("same-input" | "any-input") | {
                        [key: string]: components["schemas"]["Json"];
                    };
                };
            }[];
        };
        ApprovalRule: {
            id: string;
            tenant: string;
            tool: string;
            agent?: string;
            principal?: components["schemas"]["Principal"];
            onBehalfOf?: components["schemas"]["Principal"];
            reasons: string[];
            input: {
                /** @enum {string} */
                kind: "same";
                input?: components["schemas"]["Json"];
            } | {
                /** @enum {string} */
                kind: "pattern";
                pattern?: components["schemas"]["Json"];
            } | {
                /** @enum {string} */
                kind: "any";
            };
            approvalId: string;
            createdBy: components["schemas"]["Principal"];
            /** @description For a key: the person who owns it */
            person?: {
                /** @enum {string} */
                kind: "user" | "key" | "agent" | "worker" | "embed" | "system";
                id: string;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            revokedAt?: string;
        };
        Question: {
            id: string;
            /** @description The call that the answer ends */
            callId: string;
            title: string;
            text?: string;
            /** @description The JSON Schema (2020-12) of an answer */
            schema?: Record<string, never>;
            form?: {
                order?: string[];
                groups?: {
                    label: string;
                    description?: string;
                    fields: string[];
                    collapsed?: boolean;
                }[];
                fields?: {
                    [key: string]: {
                        label?: string;
                        help?: string;
                        placeholder?: string;
                        /** @enum {string} */
                        widget?: "text" | "textarea" | "secret" | "file" | "select" | "segmented" | "switch" | "slider" | "list" | "json";
                        hidden?: boolean;
                        order?: string[];
                    };
                };
            };
            /** @description Who may answer */
            to: string[];
            askedBy: {
                principal: components["schemas"]["Principal"];
                agent?: string;
            };
            sessionId?: string;
            /** @enum {string} */
            status: "pending" | "answered" | "declined" | "expired" | "withdrawn";
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** @description How often people were reminded */
            reminders: number;
            /** Format: date-time */
            remindAt?: string;
            /** @description You may answer and decline it now */
            mayAnswer: boolean;
            /** @description With a placeholder for the value of each secret field */
            answer?: unknown;
            /** @description Why somebody declined */
            reason?: string;
            /** @description Who answered or declined */
            answeredBy?: {
                /** @enum {string} */
                kind: "user" | "key" | "agent" | "worker" | "embed" | "system";
                id: string;
            };
            /** @description For a key: the person who owns it */
            person?: {
                /** @enum {string} */
                kind: "user" | "key" | "agent" | "worker" | "embed" | "system";
                id: string;
            };
            /** Format: date-time */
            endedAt?: string;
        };
        AnswerRequest: {
            /** @description The answer; matches the schema of the question */
            input?: unknown;
        };
        DeclineRequest: {
            /** @description The caller and its model see it */
            reason?: string;
        };
        ReassignRequest: {
            to: string[];
        };
        Tool: {
            name: string;
            /** @description The name that models and MCP clients use */
            wireName: string;
            title: string;
            description: string;
            /** @enum {string} */
            effect: "read" | "write" | "destructive";
            pack: string;
            /** @enum {string} */
            source: "builtin" | "code" | "authored" | "gateway" | "api" | "agent";
            /** @enum {string} */
            state: "ready" | "misconfigured" | "quarantined";
            /** @description Why it is not ready */
            reason?: string;
            /** @description The change that would make it ready, and who can make it */
            fix?: string;
            /** @description Name of its picture, of the tabler set */
            icon?: string;
            /**
             * @description Every call of it waits for a person
             * @enum {boolean}
             */
            asks?: true;
        };
        ToolCounts: {
            /** @description How many fit */
            total: number;
            /** @description All that the caller sees, by pack */
            packs: {
                name: string;
                tools: number;
            }[];
            /** @description Hidden from the caller; shown to callers with `policy.read` */
            hidden?: number;
        };
        ToolFileProblem: {
            /** @description Relative to the folder of the configuration */
            file: string;
            line?: number;
            column?: number;
            message: string;
            /** @description Tools whose last working version is in use */
            tools: string[];
        };
        ToolDetail: {
            name: string;
            /** @description The name that models and MCP clients use */
            wireName: string;
            title: string;
            description: string;
            /** @enum {string} */
            effect: "read" | "write" | "destructive";
            pack: string;
            /** @enum {string} */
            source: "builtin" | "code" | "authored" | "gateway" | "api" | "agent";
            /** @enum {string} */
            state: "ready" | "misconfigured" | "quarantined";
            /** @description Why it is not ready */
            reason?: string;
            /** @description The change that would make it ready, and who can make it */
            fix?: string;
            /** @description Name of its picture, of the tabler set */
            icon?: string;
            /**
             * @description Every call of it waits for a person
             * @enum {boolean}
             */
            asks?: true;
            /** @description Pictures that another server gives it, by their addresses */
            icons?: {
                src: string;
                mimeType?: string;
                sizes?: string[];
                /** @enum {string} */
                theme?: "light" | "dark";
            }[];
            idempotent: boolean;
            openWorld: boolean;
            inputSchema: components["schemas"]["JsonSchema"];
            outputSchema?: components["schemas"]["JsonSchema"];
            optionsSchema?: components["schemas"]["JsonSchema"];
            examples: {
                label: string;
                input?: components["schemas"]["Json"];
            }[];
            secrets: {
                key: string;
                label: string;
                optional: boolean;
                /** @description An optional one is required while the option, or without it the secret, has this value */
                requiredWhen?: {
                    option?: string;
                    secret?: string;
                    is: string;
                };
                /** @enum {string} */
                type: "text" | "select";
                choices: string[];
                sensitive: boolean;
            }[];
            env: string[];
            permission?: string;
            /** @enum {string} */
            approval: "auto" | "always";
            tenants: string[];
            runtimes: ("chat" | "task" | "subagent" | "room" | "webhook" | "api" | "web" | "mcp" | "cli")[];
            /** @enum {string} */
            execution: "inline" | "background" | "external";
            /** @enum {string} */
            isolation: "inline" | "worker";
            timeoutMs: number;
            maxOutputBytes: number;
            retries: number;
            cost: number;
            sections: {
                key: string;
                label: string;
                type: string;
                /** @description Keys of the output with facts about it, by the name of the fact */
                fields?: {
                    [key: string]: string;
                };
            }[];
            form?: components["schemas"]["FormSpec"];
            view?: components["schemas"]["ViewSpec"];
            collaborative: boolean;
            aliases: string[];
            /** @description The input as the fields of a form */
            fields: {
                [key: string]: unknown;
            }[];
            /** @description It can show what a call would do */
            preview?: {
                /** @description An approved call waits again if its preview has changed in the meantime */
                binds: boolean;
            };
            /** @description Its calls can be undone */
            undo?: {
                withinMs: number;
                /** @description The tool that undoes its calls */
                tool?: string;
            };
            tests?: components["schemas"]["ToolTest"][];
            evals?: components["schemas"]["ToolEval"][];
            portability: components["schemas"]["PortabilityFinding"][];
            warnings: string[];
            /** @description Its file no longer loads, and the last working version is in use. Callers with `tools.approve` in the default tenant see the reason */
            lastWorking?: {
                problem?: components["schemas"]["ToolFileProblem"];
            };
        };
        /** @description A JSON Schema 2020-12 object. */
        JsonSchema: {
            [key: string]: unknown;
        };
        /** @description How people fill the input in, where the schema alone does not say it well */
        FormSpec: {
            order?: string[];
            groups?: {
                label: string;
                description?: string;
                fields: string[];
                collapsed?: boolean;
            }[];
            /** @description By path: `customer.email`, `tasks[].name` */
            fields?: {
                [key: string]: {
                    label?: string;
                    help?: string;
                    placeholder?: string;
                    /** @enum {string} */
                    widget?: "text" | "textarea" | "secret" | "file" | "select" | "segmented" | "switch" | "slider" | "list" | "json";
                    hidden?: boolean;
                    order?: string[];
                };
            };
        };
        /** @description How people are shown the output. */
        ViewSpec: {
            /** @default [] */
            sections?: {
                path: string;
                /** @enum {string} */
                kind?: "summary" | "table" | "chart" | "radar" | "ranking" | "markdown" | "text" | "image" | "audio" | "json" | "code" | "terminal" | "diff" | "page";
                title?: string;
                description?: string;
                hidden?: boolean;
                columns?: {
                    key: string;
                    label?: string;
                    /** @enum {string} */
                    format?: "text" | "number" | "integer" | "percent" | "fraction" | "currency" | "year" | "date" | "datetime" | "duration" | "bytes" | "link" | "markdown" | "code";
                    unit?: string;
                    currency?: string;
                    digits?: number;
                    /** @enum {string} */
                    align?: "left" | "right" | "center";
                    hidden?: boolean;
                    tones?: {
                        [key: string]: "good" | "caution" | "bad" | "neutral";
                    };
                }[];
                chart?: {
                    /** @enum {string} */
                    kind?: "line" | "bar" | "radar";
                    x?: string;
                    series?: {
                        key: string;
                        label?: string;
                    }[];
                    isStacked?: boolean;
                    max?: number;
                    /** @enum {string} */
                    format?: "text" | "number" | "integer" | "percent" | "fraction" | "currency" | "year" | "date" | "datetime" | "duration" | "bytes" | "link" | "markdown" | "code";
                    unit?: string;
                    currency?: string;
                    digits?: number;
                };
                ranking?: {
                    by: string;
                    label?: string;
                    max?: number;
                };
                fields?: {
                    [key: string]: string;
                };
            }[];
            /** @enum {string} */
            rest?: "show" | "hide";
        };
        ToolTest: {
            label: string;
            input?: components["schemas"]["Json"];
            expect: {
                /** @enum {string} */
                status?: "completed" | "failed" | "denied";
                /** @description A pattern */
                output?: unknown;
                error?: string;
                where?: {
                    [key: string]: unknown;
                }[];
            };
            /** @description Outputs of tools that it calls; they are not called */
            given?: {
                [key: string]: components["schemas"]["Json"];
            };
        };
        ToolEval: {
            label?: string;
            say: string;
            as?: string;
            expect: {
                calls?: {
                    tool: string;
                    input?: components["schemas"]["Json"];
                }[];
                not?: string[];
                maxCalls?: number;
                /** @description A condition, or a pattern */
                answer?: unknown;
            };
            given?: {
                [key: string]: components["schemas"]["Json"];
            };
        };
        PortabilityFinding: {
            /** @enum {string} */
            provider: "openai" | "anthropic" | "gemini";
            /** @enum {string} */
            severity: "error" | "warning";
            path: string;
            message: string;
        };
        CallPreview: {
            /** @description The call that made it */
            callId: string;
            summary: string;
            changes: components["schemas"]["PreviewChange"][];
            /** @description How many changes there would be, where not all are listed */
            count?: number;
            warnings?: string[];
            /** @description Of all changes, in any order: the same for the same changes */
            digest: string;
        };
        PreviewRequest: {
            /** @description The tool's input; `{}` when left out */
            input?: unknown;
            /** @description As this agent */
            agent?: string;
            /** @description The conversation that the call would belong to */
            sessionId?: string;
            /** @description Stop after this long; never longer than the tool's own limit */
            timeoutMs?: number;
        };
        TestReport: {
            tool: string;
            passed: number;
            failed: number;
            results: {
                label: string;
                /** @enum {string} */
                status: "passed" | "failed";
                durationMs: number;
                /** @description The call on record */
                callId?: string;
                /** @description Why it failed, by place in the result */
                problems: {
                    path: string;
                    message: string;
                }[];
            }[];
        };
        TestRunRequest: {
            /** @description As this agent */
            agent?: string;
            /** @description Only the tests with these labels */
            labels?: string[];
        };
        EvalReport: {
            name: string;
            passed: number;
            scored: number;
            failed: number;
            results: components["schemas"]["EvalResult"][];
            /** @description Tools expected by evals that did not pass, and others that the search ranks near them for their description */
            similar: {
                tool: string;
                to: string[];
            }[];
        };
        EvalResult: {
            label: string;
            agent?: string;
            model: string;
            /**
             * @description `scored`: some runs passed
             * @enum {string}
             */
            status: "passed" | "scored" | "failed";
            runs: number;
            passed: number;
            rate: number;
            /** @description The lower bound of the rate (Wilson, 95 %) */
            low: number;
            /** @description The upper bound */
            high: number;
            usage: {
                modelCalls: number;
                cutOffCalls?: number;
                inputTokens: number;
                outputTokens: number;
                cachedTokens: number;
                cost: number;
            };
            outcomes: {
                passed: boolean;
                /** @description The expectations that it did not meet, by place in `expect` */
                problems: {
                    path: string;
                    message: string;
                }[];
                /** @description The calls that the model asked for, in order; at most 50 */
                calls: {
                    tool: string;
                    input?: components["schemas"]["Json"];
                    /** @enum {string} */
                    status: "completed" | "failed" | "denied" | "cancelled";
                    error?: components["schemas"]["CallError"];
                }[];
                /** @description At most 2000 characters */
                answer: string;
                durationMs: number;
            }[];
        };
        EvalRequest: {
            /** @description The tool, or `agent:<slug>`, whose evals to run */
            name: string;
            /** @description Only the evals with these labels */
            labels?: string[];
            /** @description The agent that gets the requests of evals that name none */
            agent?: string;
            /** @description Models in place of the agent's own, one after the other. Needs `agents.manage`, because people choose the models of agents */
            models?: string[];
            /**
             * @description Of each eval with each model
             * @default 1
             */
            runs?: number;
        };
        AuthoredTool: {
            name: string;
            title?: string;
            /** @description The kind of its spec; `override` for a tool of others */
            kind: string;
            isEnabled: boolean;
            /**
             * @description Of its content: 12 hex digits
             * @example 0f3a9c21be44
             */
            hash?: string;
            number?: number;
            /** @description Why it cannot be used */
            problem?: string;
            /** Format: date-time */
            updatedAt: string;
            updatedBy: components["schemas"]["Principal"];
        };
        CreatedTool: {
            name: string;
            draft?: components["schemas"]["ToolDraft"];
            published?: components["schemas"]["PublishedTool"];
        };
        ToolDraft: {
            name: string;
            /** @description The tool as a document: the facts of `defineTool`, its schemas, and `spec` */
            document?: unknown;
            /** @description Pass it back to change only this revision */
            revision: number;
            /**
             * @description The published version that it began with
             * @example 0f3a9c21be44
             */
            from?: string;
            findings: components["schemas"]["ToolFinding"][];
            /** Format: date-time */
            savedAt: string;
            savedBy: components["schemas"]["Principal"];
        };
        ToolFinding: {
            /** @description JSON pointer into the document */
            path: string;
            message: string;
            fix?: string;
            /**
             * @description Errors prevent publishing
             * @enum {string}
             */
            severity: "error" | "warning";
        };
        PublishedTool: {
            name: string;
            version: components["schemas"]["ToolVersion"];
            /** @description False: this content is in force already */
            isNew: boolean;
            findings: components["schemas"]["ToolFinding"][];
            sight?: components["schemas"]["AgentSight"];
        };
        ToolVersion: {
            name: string;
            /**
             * @description Of its content: 12 hex digits
             * @example 0f3a9c21be44
             */
            hash: string;
            /** @description 1, 2, 3 … of this tool */
            number: number;
            note?: string;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Principal"];
            isInForce: boolean;
        };
        /** @description The agents that would see it, by the policy in force */
        AgentSight: {
            /** @description How many agents were asked about */
            agents: number;
            /** @description Agents that could call it */
            sees: string[];
            /** @description Those of them that need approval */
            asks: string[];
            /** @description There are more agents */
            isPartial: boolean;
        };
        CreateToolRequest: {
            /** @description The tool as a document: the facts of `defineTool`, its schemas, and `spec` */
            document?: unknown;
            /**
             * @description Publish it at once
             * @default false
             */
            publish?: boolean;
            /** @description Why it changes, for the list of versions */
            note?: string;
        };
        ToolSource: {
            name: string;
            /**
             * @description Where it is defined; `draft` before it is published
             * @enum {string}
             */
            source: "builtin" | "code" | "authored" | "gateway" | "api" | "agent" | "draft";
            /** @description Of the version in force */
            document?: unknown;
            version?: components["schemas"]["ToolVersion"];
            isEnabled: boolean;
            override?: components["schemas"]["ToolOverrideSpec"];
            /** @description Your own draft */
            draft?: {
                name: string;
                /** @description The tool as a document: the facts of `defineTool`, its schemas, and `spec` */
                document?: unknown;
                /** @description Pass it back to change only this revision */
                revision: number;
                /**
                 * @description The published version that it began with
                 * @example 0f3a9c21be44
                 */
                from?: string;
                findings: components["schemas"]["ToolFinding"][];
                /** Format: date-time */
                savedAt: string;
                savedBy: components["schemas"]["Principal"];
            };
            /** @description All drafts */
            drafts: components["schemas"]["ToolDraftSummary"][];
            findings: components["schemas"]["ToolFinding"][];
            /** @description Tools that call it, agents that name it, and schedules that run it */
            usedBy: {
                tools: string[];
                agents: string[];
                /** @description Their names; a hundred at most */
                schedules: string[];
            };
        };
        ToolOverrideSpec: {
            /** @description Its name for people */
            title?: string;
            /** @description What models read */
            description?: string;
            icon?: string;
            examples?: {
                label: string;
                input?: components["schemas"]["Json"];
            }[];
            form?: {
                order?: string[];
                groups?: {
                    label: string;
                    description?: string;
                    fields: string[];
                    collapsed?: boolean;
                }[];
                fields?: {
                    [key: string]: {
                        label?: string;
                        help?: string;
                        placeholder?: string;
                        /** @enum {string} */
                        widget?: "text" | "textarea" | "secret" | "file" | "select" | "segmented" | "switch" | "slider" | "list" | "json";
                        hidden?: boolean;
                        order?: string[];
                    };
                };
            };
            view?: {
                /** @default [] */
                sections?: {
                    path: string;
                    /** @enum {string} */
                    kind?: "summary" | "table" | "chart" | "radar" | "ranking" | "markdown" | "text" | "image" | "audio" | "json" | "code" | "terminal" | "diff" | "page";
                    title?: string;
                    description?: string;
                    hidden?: boolean;
                    columns?: {
                        key: string;
                        label?: string;
                        /** @enum {string} */
                        format?: "text" | "number" | "integer" | "percent" | "fraction" | "currency" | "year" | "date" | "datetime" | "duration" | "bytes" | "link" | "markdown" | "code";
                        unit?: string;
                        currency?: string;
                        digits?: number;
                        /** @enum {string} */
                        align?: "left" | "right" | "center";
                        hidden?: boolean;
                        tones?: {
                            [key: string]: "good" | "caution" | "bad" | "neutral";
                        };
                    }[];
                    chart?: {
                        /** @enum {string} */
                        kind?: "line" | "bar" | "radar";
                        x?: string;
                        series?: {
                            key: string;
                            label?: string;
                        }[];
                        isStacked?: boolean;
                        max?: number;
                        /** @enum {string} */
                        format?: "text" | "number" | "integer" | "percent" | "fraction" | "currency" | "year" | "date" | "datetime" | "duration" | "bytes" | "link" | "markdown" | "code";
                        unit?: string;
                        currency?: string;
                        digits?: number;
                    };
                    ranking?: {
                        by: string;
                        label?: string;
                        max?: number;
                    };
                    fields?: {
                        [key: string]: string;
                    };
                }[];
                /** @enum {string} */
                rest?: "show" | "hide";
            };
            /** @description Units that a call costs */
            cost?: number;
            /** @description Added to those it has */
            labels?: {
                reads?: ("untrusted" | "private")[];
                /** @enum {string} */
                effects?: "none" | "local" | "external" | "irreversible";
            };
            /**
             * @description Every call needs approval
             * @enum {string}
             */
            approval?: "always";
            /**
             * @description At least that of the tool
             * @enum {string}
             */
            effect?: "read" | "write" | "destructive";
            /** @description At most that of the tool */
            timeoutMs?: number;
            /** @description For tools that need none */
            permission?: string;
            /** @description False: nobody can call it */
            isEnabled?: boolean;
        };
        ToolDraftSummary: {
            name: string;
            /** @description Pass it back to change only this revision */
            revision: number;
            /**
             * @description The published version that it began with
             * @example 0f3a9c21be44
             */
            from?: string;
            /** Format: date-time */
            savedAt: string;
            savedBy: components["schemas"]["Principal"];
            isMine: boolean;
        };
        ToolDraftRequest: {
            /** @description The tool as a document: the facts of `defineTool`, its schemas, and `spec` */
            document?: unknown;
            /** @description Only if the draft still has this revision; 0: only if there is none */
            revision?: number;
            /** @description The published version that this draft is based on */
            from?: string;
        };
        PublishToolRequest: {
            /** @description Why it changes, for the list of versions */
            note?: string;
            /** @description Only if the draft still has this revision; 0: only if there is none */
            revision?: number;
        };
        ChangedTool: {
            name: string;
            isEnabled: boolean;
            override?: components["schemas"]["ToolOverrideSpec"];
            /** @description Tools that call it, agents that name it, and schedules that run it */
            usedBy: {
                tools: string[];
                agents: string[];
                /** @description Their names; a hundred at most */
                schedules: string[];
            };
        };
        ToolChange: {
            /** @description False: nobody can call it */
            isEnabled?: boolean;
            /** @description For a tool of others: all facts that differ; null removes them */
            override?: {
                /** @description Its name for people */
                title?: string;
                /** @description What models read */
                description?: string;
                icon?: string;
                examples?: {
                    label: string;
                    input?: components["schemas"]["Json"];
                }[];
                form?: {
                    order?: string[];
                    groups?: {
                        label: string;
                        description?: string;
                        fields: string[];
                        collapsed?: boolean;
                    }[];
                    fields?: {
                        [key: string]: {
                            label?: string;
                            help?: string;
                            placeholder?: string;
                            /** @enum {string} */
                            widget?: "text" | "textarea" | "secret" | "file" | "select" | "segmented" | "switch" | "slider" | "list" | "json";
                            hidden?: boolean;
                            order?: string[];
                        };
                    };
                };
                view?: {
                    /** @default [] */
                    sections?: {
                        path: string;
                        /** @enum {string} */
                        kind?: "summary" | "table" | "chart" | "radar" | "ranking" | "markdown" | "text" | "image" | "audio" | "json" | "code" | "terminal" | "diff" | "page";
                        title?: string;
                        description?: string;
                        hidden?: boolean;
                        columns?: {
                            key: string;
                            label?: string;
                            /** @enum {string} */
                            format?: "text" | "number" | "integer" | "percent" | "fraction" | "currency" | "year" | "date" | "datetime" | "duration" | "bytes" | "link" | "markdown" | "code";
                            unit?: string;
                            currency?: string;
                            digits?: number;
                            /** @enum {string} */
                            align?: "left" | "right" | "center";
                            hidden?: boolean;
                            tones?: {
                                [key: string]: "good" | "caution" | "bad" | "neutral";
                            };
                        }[];
                        chart?: {
                            /** @enum {string} */
                            kind?: "line" | "bar" | "radar";
                            x?: string;
                            series?: {
                                key: string;
                                label?: string;
                            }[];
                            isStacked?: boolean;
                            max?: number;
                            /** @enum {string} */
                            format?: "text" | "number" | "integer" | "percent" | "fraction" | "currency" | "year" | "date" | "datetime" | "duration" | "bytes" | "link" | "markdown" | "code";
                            unit?: string;
                            currency?: string;
                            digits?: number;
                        };
                        ranking?: {
                            by: string;
                            label?: string;
                            max?: number;
                        };
                        fields?: {
                            [key: string]: string;
                        };
                    }[];
                    /** @enum {string} */
                    rest?: "show" | "hide";
                };
                /** @description Units that a call costs */
                cost?: number;
                /** @description Added to those it has */
                labels?: {
                    reads?: ("untrusted" | "private")[];
                    /** @enum {string} */
                    effects?: "none" | "local" | "external" | "irreversible";
                };
                /**
                 * @description Every call needs approval
                 * @enum {string}
                 */
                approval?: "always";
                /**
                 * @description At least that of the tool
                 * @enum {string}
                 */
                effect?: "read" | "write" | "destructive";
                /** @description At most that of the tool */
                timeoutMs?: number;
                /** @description For tools that need none */
                permission?: string;
            } | null;
        };
        RemovedTool: {
            name: string;
            /** @description Tools that call it, agents that name it, and schedules that run it */
            usedBy: {
                tools: string[];
                agents: string[];
                /** @description Their names; a hundred at most */
                schedules: string[];
            };
        };
        ToolSourcePreview: {
            findings: components["schemas"]["ToolFinding"][];
            isPublishable: boolean;
            /** @enum {string} */
            effect?: "read" | "write" | "destructive";
            /** @description Secrets that it needs */
            secrets?: string[];
            sight?: components["schemas"]["AgentSight"];
            /**
             * @description Of its content: 12 hex digits
             * @example 0f3a9c21be44
             */
            hash?: string;
            /** @description Against the version in force */
            diff?: string;
        };
        PreviewSourceRequest: {
            /** @description The tool as a document: the facts of `defineTool`, its schemas, and `spec` */
            document?: unknown;
        };
        TestedTool: {
            callId?: string;
            /** @enum {string} */
            status: "queued" | "running" | "waiting" | "completed" | "failed" | "denied" | "cancelled";
            output?: components["schemas"]["Json"];
            error?: components["schemas"]["CallError"];
            warnings?: string[];
            /** @description Calls that were only previewed */
            effects: components["schemas"]["TestedEffect"][];
        };
        /** @description A call that was not made, because it has an effect */
        TestedEffect: {
            tool: string;
            input?: components["schemas"]["Json"];
            /** @description The effect it would have, if it has a preview */
            summary?: string;
            /** @description The reason, if it has no preview */
            problem?: string;
        };
        TestToolRequest: {
            /** @description The tool's input; `{}` when left out */
            input?: unknown;
            /**
             * @description Your draft; false: the published version
             * @default true
             */
            draft?: boolean;
            /**
             * @description With its effects
             * @default false
             */
            real?: boolean;
            /** @description Outputs in place of calls of these tools */
            given?: {
                [key: string]: components["schemas"]["Json"];
            };
            /** @description As this agent */
            agent?: string;
        };
        ToolVersionDetail: {
            name: string;
            /**
             * @description Of its content: 12 hex digits
             * @example 0f3a9c21be44
             */
            hash: string;
            /** @description 1, 2, 3 … of this tool */
            number: number;
            note?: string;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Principal"];
            isInForce: boolean;
            /** @description The tool as a document: the facts of `defineTool`, its schemas, and `spec` */
            document?: unknown;
        };
        ToolFrom: {
            /** @description The tool as a document: the facts of `defineTool`, its schemas, and `spec` */
            document?: unknown;
            /** @description Secrets that it needs. Their values were in the command and are not kept */
            secrets: string[];
            /** @description Left-out parts, with reasons */
            notes: string[];
            findings: components["schemas"]["ToolFinding"][];
            /** @description Of a record: values that stay as they were. Name them in `inputs` to ask for them */
            constants: components["schemas"]["DraftConstant"][];
            /** @description Of a record: how many inputs of steps were compared with it, and are the same */
            replayed?: number;
        };
        DraftConstant: {
            step: string;
            tool: string;
            /** @description A JSON pointer into the input of the step */
            path: string;
            value: string | number | boolean;
        };
        ToolFromRequest: {
            /** @description A cURL command: POSIX shells, $'…' and the Windows command prompt */
            curl?: string;
            /** @description A call: the calls that it made become steps; itself, if it made none */
            call?: string;
            /** @description A run of an agent: its calls become steps */
            run?: string;
            /** @description A conversation: the calls of all its turns become steps */
            conversation?: string;
            /** @description Constants of the record to ask for, as `constants` lists them */
            inputs?: components["schemas"]["MarkedConstant"][];
        };
        MarkedConstant: {
            /** @description The id of the step */
            step: string;
            /** @description A JSON pointer into its input: `/text` */
            path: string;
            /** @description Of the input; by default that of the field */
            name?: string;
        };
        Explanation: {
            tool: string;
            visible: boolean;
            /** @enum {string} */
            verdict: "allow" | "ask" | "deny";
            stoppedBy?: string;
            reasons: string[];
            layers: {
                /** @enum {string} */
                layer: "runtime" | "tenant" | "catalogue" | "grants" | "flags" | "policy" | "permission" | "needs" | "health";
                passes: boolean;
                /** @description A description of the rule that decided */
                reason: string;
                /** @description Who made the rule */
                setBy?: string;
                /** @description What would change it */
                fix?: string;
                change?: components["schemas"]["RuleChange"];
            }[];
            asks?: {
                /** @enum {string} */
                layer: "approval" | "hooks" | "autonomy" | "settings" | "data-flow";
                /** @description A description of the rule that decided */
                reason: string;
                /** @description Who made the rule */
                setBy?: string;
                /** @description What would change it */
                fix?: string;
                change?: components["schemas"]["RuleChange"];
            }[];
            labels?: {
                reads: ("untrusted" | "private")[];
                /** @enum {string} */
                effects: "none" | "local" | "external" | "irreversible";
                setBy: string[];
            };
        };
        /** @description The change that would lift a rule, as an action. */
        RuleChange: {
            command?: string;
            api?: string;
            /** @description The key to change */
            configuration?: string;
        };
        PastDecision: {
            id: string;
            /** @enum {string} */
            kind: "refusal" | "call";
            /** Format: date-time */
            at: string;
            tool: string;
            principal: components["schemas"]["Principal"];
            agent?: string;
            parents?: string[];
            /** @enum {string} */
            runtime: "chat" | "task" | "subagent" | "room" | "webhook" | "api" | "web" | "mcp" | "cli";
            sessionId?: string;
            decided: {
                /** @enum {string} */
                verdict: "allow" | "ask" | "deny";
                layer: string;
                rule: string;
                reasons: string[];
            };
            outcome?: {
                /** @enum {string} */
                status: "queued" | "running" | "waiting" | "completed" | "failed" | "denied" | "cancelled";
                error?: components["schemas"]["CallError"];
            };
            now?: components["schemas"]["Explanation"];
            difference: string;
        };
        AgentTool: {
            tool: string;
            title: string;
            /** @enum {string} */
            effect: "read" | "write" | "destructive";
            pack: string;
            /** @enum {string} */
            decision: "allow" | "ask" | "hidden";
            /** @description The first rule that hides it or asks */
            reason?: string;
        };
        /** @description The names that patterns and levels of a tenant may use. */
        PolicyWords: {
            profiles: {
                name: string;
                /** @enum {string} */
                origin: "shipped" | "configuration" | "tenant";
                allow: string[];
                deny: string[];
            }[];
            groups: {
                name: string;
                /** @enum {string} */
                origin: "shipped" | "configuration" | "tenant";
                patterns: string[];
            }[];
            packs: {
                name: string;
                isOptIn: boolean;
                isOn: boolean;
                tools: number;
                setBy?: string;
            }[];
        };
        Settings: {
            version: string;
            /** @enum {string} */
            store: "pglite" | "postgres";
            publicUrl?: string;
            retention: {
                /** @description Finished calls, and events; kept forever if omitted */
                days?: number;
                /** @description How long grants and settings of a removed tool are kept */
                goneToolDays: number;
            };
            approvals: {
                expiresIn: string;
                allowSelf: boolean;
            };
            signIn: {
                password: boolean;
                providers: components["schemas"]["SignInProvider"][];
            };
            roles: {
                name: string;
                permissions: string[];
                /** @description False: the configuration declares it */
                isShipped: boolean;
            }[];
            /** @description The permissions that keys and roles can have; tools add their own */
            permissions: string[];
        };
        SignInProvider: {
            name: string;
            label: string;
            issuer: string;
            /** @description The tenant whose members sign in with it */
            tenant: string;
            allowedDomains?: string[];
            /** @description The role of new members; without it they are refused */
            joinsAs?: string;
        };
        McpServer: {
            title?: string;
            /** @description For a stdio server: its command */
            command?: string;
            args?: string[];
            /** @description Its environment; `secret:<name>` is replaced by the secret */
            env?: {
                [key: string]: string;
            };
            cwd?: string;
            /** @description For an HTTP server: its address */
            url?: string;
            /** @description Sent with every request; `secret:<name>` is replaced by the secret */
            headers?: {
                [key: string]: string;
            };
            /** @description People sign in to it by OAuth */
            oauth?: {
                scopes?: string[];
                clientId?: string;
                /** @description `secret:<name>` */
                clientSecret?: string;
                perUser?: boolean;
            };
            /** @description Import only these of its tools */
            allow?: string[];
            deny?: string[];
            /** @description The effect of its tools, by name or pattern. Overrides their own hints. */
            effects?: {
                [key: string]: "read" | "write" | "destructive";
            };
            /** @description Tools whose own hints (`readOnlyHint`, `idempotentHint`, `openWorldHint`) are trusted; `*` for all. For others a hint can only make a tool stricter. */
            trustHints?: string[];
            /** @description The input with which a tool only tries a call, such as `{ "dryRun": true }`, by tool or pattern: it becomes its preview */
            previewWith?: {
                [key: string]: {
                    [key: string]: string | number | boolean;
                };
            };
            timeoutMs?: number;
            /** @description By tool */
            timeouts?: {
                [key: string]: number;
            };
            /** @description Larger results are refused */
            maxResultBytes?: number;
            /** @description The maximum size of a result for callers; the rest is stored as an artifact */
            maxOutputBytes?: number;
            idleMs?: number;
            /** @description Allow an address that is not on the public internet */
            private?: boolean;
            /** @description Quarantine a changed tool until someone accepts it */
            pin?: boolean;
            enabled?: boolean;
            name: string;
            /** @enum {string} */
            transport: "stdio" | "http" | "unknown";
            /** @description Configuration declares it */
            isDeclared: boolean;
            /** @description Every tenant has it */
            isForEveryone: boolean;
            /** @enum {string} */
            state: "connecting" | "connected" | "idle" | "down" | "unauthorized" | "disabled" | "closed";
            reason?: string;
            fix?: string;
            toolCounts: {
                ready: number;
                quarantined: number;
                /** @description By its settings */
                leftOut: number;
                /** @description At least this many tools exceed the import limit of one server */
                beyond?: number;
            };
            protocol?: {
                version: string;
                /** @enum {string} */
                era: "modern" | "legacy";
            };
            about?: {
                name?: string;
                version?: string;
                title?: string;
                instructions?: string;
            };
            /** Format: date-time */
            listedAt?: string;
            /** Format: date-time */
            updatedAt?: string;
            updatedBy?: components["schemas"]["Principal"];
        };
        McpServerRequest: {
            title?: string;
            /** @description For a stdio server: its command */
            command?: string;
            args?: string[];
            /** @description Its environment; `secret:<name>` is replaced by the secret */
            env?: {
                [key: string]: string;
            };
            cwd?: string;
            /** @description For an HTTP server: its address */
            url?: string;
            /** @description Sent with every request; `secret:<name>` is replaced by the secret */
            headers?: {
                [key: string]: string;
            };
            /** @description People sign in to it by OAuth */
            oauth?: {
                scopes?: string[];
                clientId?: string;
                /** @description `secret:<name>` */
                clientSecret?: string;
                perUser?: boolean;
            };
            /** @description Import only these of its tools */
            allow?: string[];
            deny?: string[];
            /** @description The effect of its tools, by name or pattern. Overrides their own hints. */
            effects?: {
                [key: string]: "read" | "write" | "destructive";
            };
            /** @description Tools whose own hints (`readOnlyHint`, `idempotentHint`, `openWorldHint`) are trusted; `*` for all. For others a hint can only make a tool stricter. */
            trustHints?: string[];
            /** @description The input with which a tool only tries a call, such as `{ "dryRun": true }`, by tool or pattern: it becomes its preview */
            previewWith?: {
                [key: string]: {
                    [key: string]: string | number | boolean;
                };
            };
            timeoutMs?: number;
            /** @description By tool */
            timeouts?: {
                [key: string]: number;
            };
            /** @description Larger results are refused */
            maxResultBytes?: number;
            /** @description The maximum size of a result for callers; the rest is stored as an artifact */
            maxOutputBytes?: number;
            idleMs?: number;
            /** @description Allow an address that is not on the public internet */
            private?: boolean;
            /** @description Quarantine a changed tool until someone accepts it */
            pin?: boolean;
            enabled?: boolean;
            /** @description Its name */
            name: string;
        };
        McpServerChange: {
            title?: string | null;
            /** @description For a stdio server: its command */
            command?: string | null;
            args?: string[] | null;
            /** @description Its environment; `secret:<name>` is replaced by the secret */
            env?: {
                [key: string]: string;
            } | null;
            cwd?: string | null;
            /** @description For an HTTP server: its address */
            url?: string | null;
            /** @description Sent with every request; `secret:<name>` is replaced by the secret */
            headers?: {
                [key: string]: string;
            } | null;
            /** @description People sign in to it by OAuth */
            oauth?: {
                scopes?: string[];
                clientId?: string;
                /** @description `secret:<name>` */
                clientSecret?: string;
                perUser?: boolean;
            } | null;
            /** @description Import only these of its tools */
            allow?: string[] | null;
            deny?: string[] | null;
            /** @description The effect of its tools, by name or pattern. Overrides their own hints. */
            effects?: {
                [key: string]: "read" | "write" | "destructive";
            } | null;
            /** @description Tools whose own hints (`readOnlyHint`, `idempotentHint`, `openWorldHint`) are trusted; `*` for all. For others a hint can only make a tool stricter. */
            trustHints?: string[] | null;
            /** @description The input with which a tool only tries a call, such as `{ "dryRun": true }`, by tool or pattern: it becomes its preview */
            previewWith?: {
                [key: string]: {
                    [key: string]: string | number | boolean;
                };
            } | null;
            timeoutMs?: number | null;
            /** @description By tool */
            timeouts?: {
                [key: string]: number;
            } | null;
            /** @description Larger results are refused */
            maxResultBytes?: number | null;
            /** @description The maximum size of a result for callers; the rest is stored as an artifact */
            maxOutputBytes?: number | null;
            idleMs?: number | null;
            /** @description Allow an address that is not on the public internet */
            private?: boolean | null;
            /** @description Quarantine a changed tool until someone accepts it */
            pin?: boolean | null;
            enabled?: boolean | null;
        };
        McpServerTest: {
            ok: boolean;
            durationMs: number;
            protocol?: {
                version: string;
                /** @enum {string} */
                era: "modern" | "legacy";
            };
            about?: {
                name?: string;
                version?: string;
                title?: string;
                instructions?: string;
            };
            tools: components["schemas"]["McpTool"][];
            /**
             * @description The process that serves calls was tested: no second process was started
             * @enum {boolean}
             */
            isLive?: true;
            /** @description The problem, and the fix */
            problem?: {
                code: string;
                message: string;
                fix?: string;
            };
            /** @description What a program wrote last */
            errorOutput?: string;
        };
        McpTool: {
            /** @description The server’s name for it */
            name: string;
            /** @description Its name here: `mcp:<server>:<tool>` */
            tool?: string;
            /** @description The beginning of it */
            description?: string;
            /**
             * @description The effect used for decisions
             * @enum {string}
             */
            effect: "read" | "write" | "destructive";
            /**
             * @description The source of the effect: an operator (`effects`), its own hint, or neither, which makes it `write`
             * @enum {string}
             */
            effectBy: "operator" | "hint" | "default";
            /** @description Its own hints. Trusted only with `hintsTrusted`. */
            hints: {
                readOnly?: boolean;
                destructive?: boolean;
                idempotent?: boolean;
                openWorld?: boolean;
            };
            /** @description An operator trusts its hints (`trustHints`) */
            hintsTrusted: boolean;
            /** @enum {string} */
            state: "ready" | "quarantined" | "left out";
            /** @description Why it is not in use */
            reason?: string;
            /** @description The hash of everything a model sees of the tool */
            hash?: string;
            /** @description The changes since it was accepted, or the whole definition if it never was */
            differences?: {
                path: string;
                before?: components["schemas"]["Json"];
                after?: components["schemas"]["Json"];
            }[];
            findings: {
                /** @enum {string} */
                kind: "hidden" | "instruction";
                path: string;
                message: string;
            }[];
        };
        McpServerTestRequest: {
            server?: components["schemas"]["McpServerSpec"];
        };
        /** @description The connection of an MCP server: `url` (and `headers`, `oauth`) or `command` (and `args`, `env`, `cwd`). Secrets are referenced by name: `secret:<name>`. */
        McpServerSpec: {
            title?: string;
            /** @description For a stdio server: its command */
            command?: string;
            args?: string[];
            /** @description Its environment; `secret:<name>` is replaced by the secret */
            env?: {
                [key: string]: string;
            };
            cwd?: string;
            /** @description For an HTTP server: its address */
            url?: string;
            /** @description Sent with every request; `secret:<name>` is replaced by the secret */
            headers?: {
                [key: string]: string;
            };
            /** @description People sign in to it by OAuth */
            oauth?: {
                scopes?: string[];
                clientId?: string;
                /** @description `secret:<name>` */
                clientSecret?: string;
                perUser?: boolean;
            };
            /** @description Import only these of its tools */
            allow?: string[];
            deny?: string[];
            /** @description The effect of its tools, by name or pattern. Overrides their own hints. */
            effects?: {
                [key: string]: "read" | "write" | "destructive";
            };
            /** @description Tools whose own hints (`readOnlyHint`, `idempotentHint`, `openWorldHint`) are trusted; `*` for all. For others a hint can only make a tool stricter. */
            trustHints?: string[];
            /** @description The input with which a tool only tries a call, such as `{ "dryRun": true }`, by tool or pattern: it becomes its preview */
            previewWith?: {
                [key: string]: {
                    [key: string]: string | number | boolean;
                };
            };
            timeoutMs?: number;
            /** @description By tool */
            timeouts?: {
                [key: string]: number;
            };
            /** @description Larger results are refused */
            maxResultBytes?: number;
            /** @description The maximum size of a result for callers; the rest is stored as an artifact */
            maxOutputBytes?: number;
            idleMs?: number;
            /** @description Allow an address that is not on the public internet */
            private?: boolean;
            /** @description Quarantine a changed tool until someone accepts it */
            pin?: boolean;
            enabled?: boolean;
        };
        McpServerRefreshRequest: {
            restart?: boolean;
        };
        McpToolDecision: {
            /** @description The hash of the reviewed definition: 409 if the tool has changed */
            hash: string;
        };
        McpToolDecided: {
            tool: string;
            /**
             * @description Its new state; absent for an unknown tool
             * @enum {string}
             */
            state?: "ready" | "quarantined" | "left out";
            /** @description Why it was not changed */
            problem?: {
                code: string;
                message: string;
                fix?: string;
            };
        };
        McpToolDecisions: {
            decisions: {
                /** @description The tool, as the server calls it */
                tool: string;
                /** @description The hash of the reviewed definition: 409 if the tool has changed */
                hash: string;
                /** @enum {string} */
                verdict: "accept" | "reject";
            }[];
        };
        McpSignIn: {
            url: string;
            /** Format: date-time */
            expiresAt: string;
        };
        McpConnection: {
            /** @description Absent for the tenant as a whole */
            subject?: string;
            isMine: boolean;
            issuer: string;
            /** Format: date-time */
            connectedAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Api: {
            title?: string;
            /** @description The address of the document */
            url?: string;
            /** @description The address of the API; the first that the document names if omitted. Credentials go only to its host. */
            server?: string;
            /** @description By security scheme of the document: the name of the secret that signs requests */
            auth?: {
                [key: string]: string;
            };
            /** @description Sent with every request; `secret:<name>` is replaced by the secret */
            headers?: {
                [key: string]: string;
            };
            /** @description Only these operations become tools: names or patterns, verb and path (`GET /repos/*`), or `tag:<tag>` */
            include?: string[];
            /** @description These do not, by the same patterns */
            exclude?: string[];
            /** @description A stronger effect than that of the verb, by operation or pattern */
            effects?: {
                [key: string]: "read" | "write" | "destructive";
            };
            timeoutMs?: number;
            /** @description Larger responses are refused */
            maxResponseBytes?: number;
            /** @description The maximum size of a result for callers; the rest is stored as an artifact */
            maxOutputBytes?: number;
            /** @description Allow an address that is not on the public internet */
            private?: boolean;
            /** @description Quarantine a changed operation until someone accepts it */
            pin?: boolean;
            enabled?: boolean;
            name: string;
            /** @description Configuration declares it */
            isDeclared: boolean;
            /** @enum {string} */
            state: "ready" | "unread" | "disabled" | "closed";
            reason?: string;
            fix?: string;
            toolCounts: {
                ready: number;
                quarantined: number;
                leftOut: number;
            };
            /** @description As it was last read */
            document?: {
                title: string;
                version: string;
                description: string;
                /** @description The version of OpenAPI or Swagger */
                format: string;
                servers: string[];
                /** @description The ways to sign requests */
                schemes: components["schemas"]["ApiScheme"][];
                /** @description About the document as a whole */
                findings: {
                    message: string;
                }[];
                hash: string;
                /** Format: date-time */
                readAt: string;
            };
            /** @description Secrets that its settings name and the tenant does not have */
            missingSecrets: string[];
            /** Format: date-time */
            updatedAt: string;
            updatedBy: components["schemas"]["Principal"];
        };
        ApiScheme: {
            name: string;
            /** @enum {string} */
            kind: "key" | "bearer" | "basic" | "unsupported";
            /** @enum {string} */
            in?: "header" | "query" | "cookie";
            /** @description The header or parameter of a key */
            parameter?: string;
            /** @description Of one that is not supported */
            type?: string;
        };
        ApiPreview: {
            /** @description Of the document: pass it on when you add it */
            hash: string;
            title: string;
            version: string;
            description: string;
            /** @description The version of OpenAPI or Swagger */
            format: string;
            servers: string[];
            /** @description The ways to sign requests */
            schemes: components["schemas"]["ApiScheme"][];
            /** @description About the document as a whole */
            findings: {
                message: string;
            }[];
            operations: {
                /** @description The last part of its tool’s name */
                name: string;
                title: string;
                method: string;
                path: string;
                tags: string[];
                findings: {
                    message: string;
                }[];
                /** @enum {string} */
                effect: "read" | "write" | "destructive";
                /** @description Why it would be quarantined */
                fault?: string;
            }[];
        };
        /** @description One of `url`, `document` and `upload` */
        ApiPreviewRequest: {
            /** @description The address of the document */
            url?: string;
            /** @description The text of the document, in JSON or YAML */
            document?: string;
            /** @description The id of an upload with the document */
            upload?: string;
            /** @description The address of the API; the first that the document names if omitted. Credentials go only to its host. */
            server?: string;
            /** @description Allow an address that is not on the public internet */
            private?: boolean;
        };
        /** @description One of `url`, `document` and `upload`, and settings */
        ApiRequest: {
            title?: string;
            /** @description The address of the document */
            url?: string;
            /** @description The address of the API; the first that the document names if omitted. Credentials go only to its host. */
            server?: string;
            /** @description By security scheme of the document: the name of the secret that signs requests */
            auth?: {
                [key: string]: string;
            };
            /** @description Sent with every request; `secret:<name>` is replaced by the secret */
            headers?: {
                [key: string]: string;
            };
            /** @description Only these operations become tools: names or patterns, verb and path (`GET /repos/*`), or `tag:<tag>` */
            include?: string[];
            /** @description These do not, by the same patterns */
            exclude?: string[];
            /** @description A stronger effect than that of the verb, by operation or pattern */
            effects?: {
                [key: string]: "read" | "write" | "destructive";
            };
            timeoutMs?: number;
            /** @description Larger responses are refused */
            maxResponseBytes?: number;
            /** @description The maximum size of a result for callers; the rest is stored as an artifact */
            maxOutputBytes?: number;
            /** @description Allow an address that is not on the public internet */
            private?: boolean;
            /** @description Quarantine a changed operation until someone accepts it */
            pin?: boolean;
            enabled?: boolean;
            /** @description The text of the document, in JSON or YAML */
            document?: string;
            /** @description The id of an upload with the document */
            upload?: string;
            /** @description Its name, the middle of `api:<name>:<operation>` */
            name: string;
            /** @description The hash of the previewed document: 409 if it has changed since */
            hash?: string;
        };
        ApiChange: {
            title?: string | null;
            /** @description The address of the document */
            url?: string | null;
            /** @description The address of the API; the first that the document names if omitted. Credentials go only to its host. */
            server?: string | null;
            /** @description By security scheme of the document: the name of the secret that signs requests */
            auth?: {
                [key: string]: string;
            } | null;
            /** @description Sent with every request; `secret:<name>` is replaced by the secret */
            headers?: {
                [key: string]: string;
            } | null;
            /** @description Only these operations become tools: names or patterns, verb and path (`GET /repos/*`), or `tag:<tag>` */
            include?: string[] | null;
            /** @description These do not, by the same patterns */
            exclude?: string[] | null;
            /** @description A stronger effect than that of the verb, by operation or pattern */
            effects?: {
                [key: string]: "read" | "write" | "destructive";
            } | null;
            timeoutMs?: number | null;
            /** @description Larger responses are refused */
            maxResponseBytes?: number | null;
            /** @description The maximum size of a result for callers; the rest is stored as an artifact */
            maxOutputBytes?: number | null;
            /** @description Allow an address that is not on the public internet */
            private?: boolean | null;
            /** @description Quarantine a changed operation until someone accepts it */
            pin?: boolean | null;
            enabled?: boolean | null;
        };
        ApiRefresh: {
            api: components["schemas"]["Api"];
            added: string[];
            /** @description They wait until somebody accepts them */
            changed: string[];
            removed: string[];
        };
        /** @description For a document that was uploaded: its present text */
        ApiRefreshRequest: {
            /** @description The text of the document, in JSON or YAML */
            document?: string;
            /** @description The id of an upload with the document */
            upload?: string;
        };
        ApiTool: {
            /** @description The last part of its tool’s name */
            name: string;
            title: string;
            method: string;
            path: string;
            tags: string[];
            findings: {
                message: string;
            }[];
            /** @description Its canonical name: `api:<api>:<operation>` */
            tool: string;
            /**
             * @description The effect used for decisions
             * @enum {string}
             */
            effect: "read" | "write" | "destructive";
            /**
             * @description The source of the effect
             * @enum {string}
             */
            effectBy: "verb" | "operator";
            /** @enum {string} */
            state: "ready" | "quarantined" | "left out";
            /** @description Why it is not in use */
            reason?: string;
            /** @description The hash of its definition */
            hash: string;
            /** @description The changes since it was accepted, or the whole definition if it never was */
            differences?: {
                path: string;
                before?: components["schemas"]["Json"];
                after?: components["schemas"]["Json"];
            }[];
        };
        ApiToolDecision: {
            /** @description The hash of the reviewed definition: 409 if the operation has changed */
            hash: string;
        };
        ApiToolDecided: {
            tool: string;
            /**
             * @description Its new state; absent for an unknown operation
             * @enum {string}
             */
            state?: "ready" | "quarantined" | "left out";
            /** @description Why it was not changed */
            problem?: {
                code: string;
                message: string;
                fix?: string;
            };
        };
        ApiToolDecisions: {
            decisions: {
                /** @description The name of the operation */
                tool: string;
                /** @description The hash of the reviewed definition: 409 if the operation has changed */
                hash: string;
                /** @enum {string} */
                verdict: "accept" | "reject";
            }[];
        };
        OwnApiTool: {
            /** @description An HTTP tool that sends the same request */
            document?: unknown;
            findings: {
                path: string;
                message: string;
                /** @enum {string} */
                severity: "error" | "warning";
            }[];
        };
        Upload: {
            id: string;
            /** @description Its address in the input of a call */
            uri: string;
            name: string;
            mediaType: string;
            bytes: number;
            /** @description In hex */
            sha256: string;
            principal: components["schemas"]["Principal"];
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description It goes after this, unless a call that is still kept has used it
             */
            keptUntil: string;
        };
        Workspace: {
            id: string;
            /** @description The session it belongs to */
            sessionId?: string;
            /** @description The agent that used it first */
            agent?: string;
            principal: components["schemas"]["Principal"];
            /**
             * @description May its files be changed: by nobody, by tools after a person has agreed, or by tools without asking
             * @enum {string}
             */
            mode: "read-only" | "ask" | "free";
            bytes: number;
            /** @description Files and folders */
            files: number;
            maxBytes: number;
            maxFiles: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            usedAt: string;
            /**
             * Format: date-time
             * @description It is removed then unless somebody uses it
             */
            expiresAt: string;
        };
        WorkspaceChange: {
            /**
             * @description May its files be changed: by nobody, by tools after a person has agreed, or by tools without asking
             * @enum {string}
             */
            mode: "read-only" | "ask" | "free";
        };
        WorkspaceEntry: {
            path: string;
            /** @enum {string} */
            kind: "file" | "folder" | "link" | "other";
            bytes: number;
            /** Format: date-time */
            modifiedAt: string;
        };
        ChangedFile: {
            path: string;
            /** @enum {string} */
            change: "added" | "changed" | "deleted";
            /** @description Unified; absent for binary and large files */
            diff?: string;
            isBinary?: boolean;
            bytes: number;
            /** Format: date-time */
            at: string;
        };
        PlacedFile: {
            path: string;
            /** @enum {string} */
            kind: "file" | "folder" | "link" | "other";
            bytes: number;
            /** Format: date-time */
            modifiedAt: string;
            /** @description The id of the workspace */
            workspace: string;
        };
        ChatAgent: {
            slug: string;
            name?: string;
            description?: string;
            model: string;
            /** @description Why it could not answer now */
            problem?: {
                /** @enum {string} */
                code: "tool_not_found" | "invalid_input" | "invalid_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "body_too_large" | "unsupported_media_type" | "idempotency_mismatch" | "already_settled" | "already_decided" | "conflict" | "sign_in_failed" | "tenant_suspended" | "rate_limited" | "conversation_busy" | "shutting_down" | "denied" | "approval_required" | "cannot_wait" | "group_closed" | "approval_rejected" | "preview_changed" | "not_undoable" | "approval_expired" | "timeout" | "cancelled" | "interrupted" | "replay_diverged" | "outcome_unknown" | "upstream_failed" | "client_unable" | "sign_in_required" | "model_failed" | "tool_failed" | "tool_crashed" | "output_invalid" | "secret_missing" | "budget_exceeded" | "quota_exceeded" | "sandbox_unavailable" | "workspace_unavailable" | "call_too_deep" | "invalid_tool" | "invalid_schema" | "name_taken" | "invalid_config" | "invalid_policy" | "invalid_skill" | "record_failed" | "store_unavailable" | "data_locked" | "data_read_only" | "data_newer" | "data_damaged" | "wrong_master_key" | "server_unreachable" | "internal";
                message: string;
                retryable: boolean;
                issues?: components["schemas"]["Issue"][];
                /** @description How the caller can fix it */
                fix?: string;
                /** @description When the limit has capacity again */
                retryAfterMs?: number;
                /** @description For `tool_not_found`: GET /api/v1/explain/{id} shows the reason to callers with policy.read */
                refusalId?: string;
            };
        };
        Conversation: {
            id: string;
            tenant: string;
            agent: string;
            principal: components["schemas"]["Principal"];
            /** @enum {string} */
            kind: "chat" | "task" | "subagent" | "agent";
            clientId?: string;
            title?: string;
            /** @description The turn under way */
            turnId?: string;
            wireNames: {
                [key: string]: string;
            };
            messages: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ConversationDetail: {
            id: string;
            tenant: string;
            agent: string;
            principal: components["schemas"]["Principal"];
            /** @enum {string} */
            kind: "chat" | "task" | "subagent" | "agent";
            clientId?: string;
            title?: string;
            /** @description The turn under way */
            turnId?: string;
            wireNames: {
                [key: string]: string;
            };
            messages: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @enum {string} */
            status: "idle" | "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";
            items: {
                id: string;
                /** @enum {string} */
                role: "user" | "assistant" | "system";
                parts: components["schemas"]["Json"][];
                metadata?: components["schemas"]["Json"];
                position: number;
                turnId?: string;
                /** Format: date-time */
                createdAt: string;
            }[];
            next?: number;
            waiting: components["schemas"]["Approval"][];
        };
        Run: {
            id: string;
            agent: string;
            conversationId: string;
            /** @description The first words of its conversation; only in lists */
            title?: string;
            /** @enum {string} */
            status: "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";
            steps: number;
            model?: string;
            /** @description The text of the answer */
            output?: string;
            /** @description Why the answer ended early: `length`, `content-filter`, `other` */
            finishReason?: string;
            error?: components["schemas"]["CallError"];
            usage: {
                modelCalls: number;
                /** @description Those of them that were interrupted before the provider reported their usage: counted as known, or estimated */
                cutOffCalls?: number;
                inputTokens: number;
                outputTokens: number;
                cachedTokens: number;
                cost: number;
                /** @description Usage of the sub-agents that it started, in addition to its own */
                sentOut?: {
                    modelCalls: number;
                    /** @description Those of them that were interrupted before the provider reported their usage: counted as known, or estimated */
                    cutOffCalls?: number;
                    inputTokens: number;
                    outputTokens: number;
                    cachedTokens: number;
                    cost: number;
                };
            };
            waiting?: {
                id: string;
                callId: string;
                tool: string;
                input?: components["schemas"]["Json"];
                reasons: string[];
                /** Format: date-time */
                expiresAt: string;
            }[];
            parentCallId?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            settledAt?: string;
        };
        RunRequest: {
            prompt: string;
            /** @description Continue this conversation */
            conversationId?: string;
            maxSteps?: number;
            timeoutMs?: number;
        };
        SandboxState: {
            /** @enum {string} */
            driver: "bwrap" | "docker" | "seatbelt" | "e2b" | "none";
            /**
             * @description unavailable: tools that run programs are off. unsandboxed: they run as the user of the server
             * @enum {string}
             */
            state: "verified" | "unavailable" | "unsandboxed";
            /**
             * @description enforced: on memory and processes of a command together. best-effort: on each process by itself
             * @enum {string}
             */
            limits: "enforced" | "best-effort" | "none";
            /** @description Why it is unavailable */
            reason?: string;
            /** @description What to do about it */
            fix?: string;
            checks: components["schemas"]["SandboxCheck"][];
            /** Format: date-time */
            checkedAt: string;
            durationMs: number;
        };
        SandboxCheck: {
            name: string;
            /** @description The promise of the sandbox that was tried */
            title: string;
            isOk: boolean;
            /** @description The thing that an attempt to get out has reached */
            detail?: string;
        };
        ProcessStatus: {
            /** @description Its number in this workspace */
            pid: number;
            command: string;
            cwd: string;
            /** @enum {string} */
            state: "running" | "exited" | "killed";
            exitCode?: number;
            /** @description The signal that ended it */
            signal?: string;
            /** Format: date-time */
            startedAt: string;
            /** Format: date-time */
            endedAt?: string;
            /** @description Written so far */
            stdoutBytes: number;
            stderrBytes: number;
        };
        ProcessOutput: {
            text: string;
            /** @description Pass as `offset` to read on */
            next: number;
            /** @description Bytes before `offset` that are no longer kept */
            dropped: number;
            isEnd: boolean;
        };
        SkillReceipt: {
            name: string;
            /** @description SHA-256 of its content, in hex */
            version: string;
            /** @description False if this content was already installed */
            isNew: boolean;
            manifest: components["schemas"]["SkillManifest"];
            files: number;
            bytes: number;
            warnings: string[];
            /** @description Required tools that this tenant does not have; they are granted once they exist */
            unknownTools: string[];
            /** @description Old versions that no agent used, removed to make room */
            dropped: string[];
        };
        ChatRequest: {
            /** @description Your name for the conversation, or the id it has here */
            id?: string;
            /** @description Only the last message is read; the stored conversation is authoritative */
            messages?: unknown[];
            /** @description Alternatively only the last message, or a string */
            message?: unknown;
            /** @description `regenerate-message` answers again */
            trigger?: string;
            messageId?: string | null;
            /** @description Answers to what waits */
            approvals?: {
                /** @description The approval */
                id: string;
                approved: boolean;
                reason?: string;
                /** @description Run the call with this instead */
                input?: unknown;
            }[];
        } & {
            [key: string]: unknown;
        };
        CompletionReceipt: {
            /** @enum {boolean} */
            accepted: true;
            /** @description Calls of its group that have not settled yet */
            pending: number;
            /** @description This call was the last of its group: the work that waits for the group continues */
            continued: boolean;
        };
        CompletionReport: {
            /** @enum {string} */
            status: "completed" | "failed";
            /** @description The output of a call that completed; null unless given */
            response?: unknown;
            /** @description Why it failed; needed when it did */
            error?: string;
        };
        ProgressReport: {
            done?: number;
            total?: number;
            message?: string;
            /** @description Appended to the running text output */
            text?: string;
        };
        SignedIn: {
            signIn: components["schemas"]["SignIn"];
            member: components["schemas"]["Member"];
        };
        SignInRequest: {
            /** @description The tenant; `default` if omitted */
            tenant?: string;
            /** @description The address of the member */
            email: string;
            /** Format: password */
            password: string;
        };
        AcceptInvitationRequest: {
            /** @description The token of the link */
            token: string;
            /** @description Your display name */
            name: string;
            /** Format: password */
            password: string;
        };
        ProtectedResource: {
            /** Format: uri */
            resource: string;
            authorization_servers?: string[];
            scopes_supported: string[];
            bearer_methods_supported: "header"[];
            resource_name: string;
            /** Format: uri */
            resource_documentation: string;
        };
        Readiness: {
            /** @enum {string} */
            status: "ok" | "failing" | "draining";
            version: string;
            checks: {
                [key: string]: {
                    ok: boolean;
                };
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "post-tools-name-calls": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same input gives the same call, also after a restart. With other input: 422. */
                "Idempotency-Key"?: string;
                /** @description `respond-async` answers 202 as soon as the call is stored; `wait=10` waits that long for a call that is queued or waits for somebody. */
                Prefer?: string;
            };
            path: {
                /** @description Canonical name (`billing.refund`) or wire name (`billing_refund`) */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CallRequest"];
            };
        };
        responses: {
            /** @description The call has settled, or its stream */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallResult"];
                    "text/event-stream": string;
                };
            };
            /** @description The call is stored and not settled yet */
            202: {
                headers: {
                    /** @description Where to read the call */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallResult"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The call was denied */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such tool for this caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The input does not fit, or the idempotency key was used with other input */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-offer": {
        parameters: {
            query?: {
                /** @description As this agent */
                agent?: string;
                /** @description With this skill of the agent in force */
                skill?: string;
                /** @description As if running for this reason */
                runtime?: "chat" | "task" | "subagent" | "room" | "webhook" | "api" | "web" | "mcp" | "cli";
                /** @description With what this conversation has found */
                sessionId?: string;
                /** @description Page on after this name */
                after?: string;
                /** @description Items per page (default 500, at most 1000) */
                limit?: number;
                /** @description This tool alone, by canonical or wire name, listed or not */
                name?: string;
                /** @description For people who look at the list: `inputSchema` is empty, and there is no `outputSchema` */
                brief?: "true" | "false";
            };
            header?: {
                /** @description The `ETag` of the offer that is known already */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the offer */
            200: {
                headers: {
                    /** @description Of the whole offer */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `search`: most tools are not listed, but found with `tools.search`
                         * @enum {string}
                         */
                        mode: "list" | "search";
                        items: components["schemas"]["OfferedTool"][];
                        /** @description Page on after this name */
                        next?: string;
                    };
                };
            };
            /** @description Nothing has changed */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-tools-name-ask": {
        parameters: {
            query?: never;
            header?: {
                /** @description Calling with the same key then gives the call that was stored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Canonical name or wire name */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CallRequest"];
            };
        };
        responses: {
            /** @description The call of this key has settled */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallResult"];
                };
            };
            /** @description It waits for a person */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallResult"];
                };
            };
            /** @description Nobody has to be asked */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-events": {
        parameters: {
            query?: {
                /** @description Continue after this event id; `now` for new events only */
                after?: string;
                /** @description The newest events, at most this many, instead of the oldest; fewer if they are large. A stream starts with them. Not with after, callId or sessionId */
                last?: number;
                /** @description Only these types, separated by commas */
                types?: string;
                /** @description Only events of this call */
                callId?: string;
                /** @description Only events of this session */
                sessionId?: string;
                /** @description Items per page (default 100, at most 1000) */
                limit?: number;
            };
            header?: {
                /** @description For a stream: continue after this event. Wins over `after`. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events, or a stream */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Event"][];
                        /** @description Pass as `after` for the next page */
                        next: string;
                        hasMore: boolean;
                    };
                    "text/event-stream": string;
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-changes": {
        parameters: {
            query?: never;
            header?: {
                /** @description Continue after this event instead of from now on. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stream of changes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-calls": {
        parameters: {
            query?: {
                /** @description Calls of this tool */
                tool?: string;
                status?: "queued" | "running" | "waiting" | "completed" | "failed" | "denied" | "cancelled";
                /** @description Calls by this agent */
                agent?: string;
                /** @description Calls for which this principal is responsible */
                principal?: string;
                /** @description Calls of this session */
                session?: string;
                /** @description The same as `session` */
                sessionId?: string;
                /** @description Direct nested calls of this call */
                parent?: string;
                /** @description All nested calls of this call, at any depth */
                under?: string;
                /** @description Calls with this `Idempotency-Key` */
                idempotencyKey?: string;
                /** @description Requested from this time on: a day, or a time with its zone */
                from?: string;
                /** @description Requested before this time */
                to?: string;
                /** @description Without inputs and outputs */
                brief?: "true" | "false";
                /** @description The `next` of the previous page */
                after?: string;
                /** @description Items per page (default 50, at most 500) */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of calls */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["CallRecord"][];
                        /** @description Pass as `after` for the next page */
                        next?: string;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-calls-id": {
        parameters: {
            query?: {
                /** @description Seconds to wait for the call to settle; at most 60 */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description The id of the call */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallRecord"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-calls-id-cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the call */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallRecord"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The call has settled */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-calls-id-rerun": {
        parameters: {
            query?: never;
            header?: {
                /** @description `respond-async` answers 202 as soon as the call is stored. */
                Prefer?: string;
            };
            path: {
                /** @description The id of the call */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RerunRequest"];
            };
        };
        responses: {
            /** @description The new call has settled */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallResult"];
                };
            };
            /** @description The new call is stored and not settled yet */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallResult"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It cannot run again from that step: the reason is in `detail` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-calls-id-steps": {
        parameters: {
            query?: {
                /** @description Which steps run again from this one: sets `runsAgain` */
                from?: string;
            };
            header?: never;
            path: {
                /** @description The id of the call */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The steps, in order */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["CallStep"][];
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It cannot run again from that step: the reason is in `detail` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-calls-id-artifact": {
        parameters: {
            query?: {
                /** @description First byte (0) */
                offset?: number;
                /** @description Bytes in a page (65536); at most 1048576 */
                limit?: number;
                /** @description An artifact that the output refers to, such as a picture */
                artifact?: string;
            };
            header?: never;
            path: {
                /** @description The id of the call */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the artifact */
            200: {
                headers: {
                    /** @description The position of this page in the whole */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArtifactText"];
                    "application/octet-stream": string;
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such call, or its output was not truncated */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-calls-id-undo": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the call */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether it can be undone */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UndoState"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-calls-id-undo": {
        parameters: {
            query?: never;
            header?: {
                /** @description `respond-async` answers 202 as soon as the call is stored. */
                Prefer?: string;
            };
            path: {
                /** @description The id of the call */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call that undoes it has settled */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallResult"];
                };
            };
            /** @description The call that undoes it is stored and not settled yet */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallResult"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It cannot be undone: the reason is in `detail` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-calls-id-test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the call */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The test */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordedTest"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The call has not settled */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-labels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The labels */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Label"][];
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-labels-pattern": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A tool, or a pattern: web.*, pack:web, * */
                pattern: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The label */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Label"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "put-labels-pattern": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A tool, or a pattern: web.*, pack:web, * */
                pattern: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LabelRequest"];
            };
        };
        responses: {
            /** @description The label */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Label"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-labels-pattern": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A tool, or a pattern: web.*, pack:web, * */
                pattern: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-session-flags-sessionId": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session id that calls use */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its flags */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["SessionFlag"][];
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-session-flags-sessionId": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session id that calls use */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The flags it had */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["SessionFlag"][];
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-limits": {
        parameters: {
            query?: {
                /** @description The `next` of the previous page */
                after?: string;
                /** @description Items per page (default 50, at most 200) */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of limits */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Limit"][];
                        /** @description Pass as `after` for the next page */
                        next?: string;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-limits-name": {
        parameters: {
            query?: {
                /** @description The `next` of the previous page */
                after?: string;
                /** @description Items per page (default 50, at most 200) */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The name of the limit */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The limit */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Limit"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "put-limits-name": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the limit */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LimitSpec"];
            };
        };
        responses: {
            /** @description The limit */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Limit"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The configuration declares a limit of this name */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-limits-name": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the limit */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-schedules": {
        parameters: {
            query?: {
                /** @description The `next` of the previous page */
                after?: string;
                /** @description Items per page (default 50, at most 500) */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of schedules */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Schedule"][];
                        /** @description Pass as `after` for the next page */
                        next?: string;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduleRequest"];
            };
        };
        responses: {
            /** @description The schedule */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-schedules-preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SchedulePreviewRequest"];
            };
        };
        responses: {
            /** @description The next times */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SchedulePreview"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-schedules-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the schedule */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-schedules-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the schedule */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "patch-schedules-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the schedule */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduleChange"];
            };
        };
        responses: {
            /** @description The schedule */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-schedules-id-run": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the schedule */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleRun"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-schedules-id-runs": {
        parameters: {
            query?: {
                /** @description The `next` of the previous page */
                after?: string;
                /** @description Items per page (default 50, at most 500) */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The id of the schedule */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of runs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ScheduleRun"][];
                        /** @description Pass as `after` for the next page */
                        next?: string;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-secrets": {
        parameters: {
            query?: {
                /** @description The `next` of the previous page */
                after?: string;
                /** @description Items per page (default 100, at most 1000) */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secrets */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Secrets"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "put-secrets-name": {
        parameters: {
            query?: {
                /** @description This agent's own secret */
                agent?: string;
            };
            header?: never;
            path: {
                /** @description The name of the secret, as tools declare it */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecretValue"];
            };
        };
        responses: {
            /** @description The secret as listed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Secret"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-secrets-name": {
        parameters: {
            query?: {
                /** @description This agent's own secret */
                agent?: string;
            };
            header?: never;
            path: {
                /** @description The name of the secret, as tools declare it */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "patch-secrets-name": {
        parameters: {
            query?: {
                /** @description This agent's own secret */
                agent?: string;
            };
            header?: never;
            path: {
                /** @description The name of the secret, as tools declare it */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecretNotes"];
            };
        };
        responses: {
            /** @description The secret as listed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Secret"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-secrets-name-test": {
        parameters: {
            query?: {
                /** @description This agent's own secret */
                agent?: string;
            };
            header?: never;
            path: {
                /** @description The name of the secret, as tools declare it */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result of the check */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretTest"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-keyring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key ring */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Keyring"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-keyring-rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["KeyringRotationRequest"];
            };
        };
        responses: {
            /** @description The progress */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyringRotation"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-keyring-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the key */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is retired. `isGone`: its file or variable was removed as well */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        isGone: boolean;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-audit": {
        parameters: {
            query?: {
                /** @description By this principal (`kind:id`, or an id), or on its behalf */
                who?: string;
                /** @description Event types, or groups of them (calls, approvals, questions, tools, secrets, keys, policy, agents, tenants, people, schedules, audit), separated by commas */
                what?: string;
                /** @description About this tool */
                tool?: string;
                /** @description By this agent */
                agent?: string;
                /** @description Only the final events of calls with this outcome */
                outcome?: string;
                /** @description Only requests with this verdict */
                verdict?: "allow" | "ask" | "deny";
                /** @description Only requests decided by this policy layer */
                layer?: string;
                /** @description Only events of this session */
                sessionId?: string;
                /** @description Only events of this call */
                callId?: string;
                /** @description From this time on: a day, or a time with a zone */
                from?: string;
                /** @description Before this time */
                to?: string;
                /** @description With this text in the event data, ignoring case */
                text?: string;
                /** @description The `next` of the previous page */
                after?: string;
                /** @description Items per page (default 100, at most 1000) */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["AuditEntry"][];
                        /** @description Pass as `after` for the next page */
                        next?: string;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-audit-export": {
        parameters: {
            query?: {
                /** @description By this principal (`kind:id`, or an id), or on its behalf */
                who?: string;
                /** @description Event types, or groups of them (calls, approvals, questions, tools, secrets, keys, policy, agents, tenants, people, schedules, audit), separated by commas */
                what?: string;
                /** @description About this tool */
                tool?: string;
                /** @description By this agent */
                agent?: string;
                /** @description Only the final events of calls with this outcome */
                outcome?: string;
                /** @description Only requests with this verdict */
                verdict?: "allow" | "ask" | "deny";
                /** @description Only requests decided by this policy layer */
                layer?: string;
                /** @description Only events of this session */
                sessionId?: string;
                /** @description Only events of this call */
                callId?: string;
                /** @description From this time on: a day, or a time with a zone */
                from?: string;
                /** @description Before this time */
                to?: string;
                /** @description With this text in the event data, ignoring case */
                text?: string;
                format?: "jsonl" | "csv";
                /** @description Only events after this one */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The export */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl": string;
                    "text/csv": string;
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-audit-verify": {
        parameters: {
            query?: {
                /** @description Continue after this segment (0) */
                after?: number;
                /** @description Digests kept elsewhere, as `segment:digest`, separated by commas */
                anchor?: string;
                /** @description Another tenant, for callers who manage all tenants */
                tenant?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result for this part */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditCheck"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-keys": {
        parameters: {
            query?: {
                /** @description Only the visitors of this key */
                parent?: string;
                /** @description The `next` of the previous page */
                after?: string;
                /** @description Items per page (default 100, at most 1000) */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ApiKey"][];
                        /** @description Pass as `after` for the next page */
                        next?: string;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyRequest"];
            };
        };
        responses: {
            /** @description The key, with its token */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedKey"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VisitorTokenRequest"];
            };
        };
        responses: {
            /** @description The token */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VisitorToken"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-keys-check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenCheck"];
            };
        };
        responses: {
            /** @description The state of each token, in the same order */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["TokenReport"][];
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-keys-id-rotate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the key */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["KeyRotation"];
            };
        };
        responses: {
            /** @description The key, with its new token */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedKey"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-keys-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the key */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-usage": {
        parameters: {
            query?: {
                /** @description First day (30 days ago) */
                from?: string;
                /** @description Last day (today) */
                to?: string;
                by?: "day" | "tool" | "agent" | "principal";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        from: string;
                        to: string;
                        items: components["schemas"]["UsageRow"][];
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-tool-usage": {
        parameters: {
            query?: {
                /** @description Number of days, including today (14); at most 90 */
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        from: string;
                        to: string;
                        items: components["schemas"]["ToolUsage"][];
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-tenants": {
        parameters: {
            query?: {
                /** @description The `next` of the previous page */
                after?: string;
                /** @description Items per page (default 50, at most 500) */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tenants */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Tenant"][];
                        /** @description Pass as `after` for the next page */
                        next?: string;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TenantRequest"];
            };
        };
        responses: {
            /** @description The tenant */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The slug is taken, or its last tenant is still being deleted */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-tenants-slug": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug of the tenant */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tenant */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-tenants-slug": {
        parameters: {
            query: {
                /** @description The slug again, to confirm */
                confirm: string;
            };
            header?: never;
            path: {
                /** @description The slug of the tenant */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The configuration declares it, or it must always exist */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "patch-tenants-slug": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug of the tenant */
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TenantChange"];
            };
        };
        responses: {
            /** @description The tenant */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The configuration declares it, or it must stay active */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description You */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhoAmI"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-members": {
        parameters: {
            query?: {
                /** @description The `next` of the previous page */
                after?: string;
                /** @description Items per page (default 50, at most 500) */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of members */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Member"][];
                        /** @description Pass as `after` for the next page */
                        next?: string;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberRequest"];
            };
        };
        responses: {
            /** @description The member */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A member has this address already */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-members-names": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The names */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            id: string;
                            name: string;
                        }[];
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-members-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the member */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The member */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-members-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the member */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description They are the last owner */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "patch-members-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the member */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberChange"];
            };
        };
        responses: {
            /** @description The member */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description They are the last owner */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-sign-ins": {
        parameters: {
            query?: {
                /** @description The id of another member; needs members.manage */
                member?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sign-ins */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ListedSignIn"][];
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-sign-ins": {
        parameters: {
            query?: {
                /** @description The id of another member; needs members.manage */
                member?: string;
                /** @description Keep the sign-in of the current browser */
                keepCurrent?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many have ended */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ended: number;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-sign-ins-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the sign-in */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-sign-in-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SignInLinkRequest"];
            };
        };
        responses: {
            /** @description The link, shown only once */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        member: string;
                        url: string;
                        /** Format: date-time */
                        expiresAt: string;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The member who is signed in */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "patch-account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountChange"];
            };
        };
        responses: {
            /** @description The member who is signed in */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "put-account-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordRequest"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitations, without their links */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Invitation"][];
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationRequest"];
            };
        };
        responses: {
            /** @description The invitation and its link */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        invitation: components["schemas"]["Invitation"];
                        url: string;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-invitations-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the invitation */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-skills": {
        parameters: {
            query?: {
                /** @description The `next` of the previous page */
                after?: string;
                /** @description Items per page (default 100, at most 500) */
                limit?: number;
                /** @description Words in the name or description */
                q?: string | "";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of skills, by name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Skill"][];
                        /** @description Pass as `after` for the next page */
                        next?: string;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/zip": string;
            };
        };
        responses: {
            /** @description This content was already installed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillReceipt"];
                };
            };
            /** @description Installed */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillReceipt"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The configuration declares the skill */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is not a skill, exceeds a limit, or names unknown groups or profiles */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-skills-name": {
        parameters: {
            query?: {
                /** @description A version, or at least its first 8 characters; the newest if omitted */
                version?: string;
            };
            header?: never;
            path: {
                /** @description The name of the skill */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The skill */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillDetail"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-skills-name": {
        parameters: {
            query?: {
                /** @description Also remove it from agents that have it */
                force?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description The name of the skill */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Agents have it, or the configuration declares it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-agents-slug-skills": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug of the agent */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its skills, by name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["SkillPin"][];
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "put-agents-slug-skills-name": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug of the agent */
                slug: string;
                /** @description The name of the skill */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SkillPinRequest"];
            };
        };
        responses: {
            /** @description The changes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillChange"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-agents-slug-skills-name": {
        parameters: {
            query?: {
                /** @description Show what would change, and change nothing */
                dryRun?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description The slug of the agent */
                slug: string;
                /** @description The name of the skill */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillChange"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-agents": {
        parameters: {
            query?: {
                /** @description The `next` of the previous page */
                after?: string;
                /** @description Items per page (default 50, at most 500) */
                limit?: number;
                /** @description Words in the slug, name, description or model */
                q?: string | "";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of agents */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["AgentSummary"][];
                        /** @description Pass as `after` for the next page */
                        next?: string;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentRequest"];
            };
        };
        responses: {
            /** @description The agent */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-agents-slug": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug of the agent */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-agents-slug": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug of the agent */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "patch-agents-slug": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug of the agent */
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentChange"];
            };
        };
        responses: {
            /** @description The agent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-agents-slug-grants": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug of the agent */
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GrantRequest"];
            };
        };
        responses: {
            /** @description The agent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-agents-slug-grants": {
        parameters: {
            query: {
                /** @description A tool, or a pattern: billing.find, billing.*, group:fs, pack:web, * */
                pattern: string;
                kind?: "allow" | "deny";
            };
            header?: never;
            path: {
                /** @description The slug of the agent */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-agents-slug-tools-name": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug of the agent */
                slug: string;
                /** @description The name of the tool */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-policies-simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SimulationRequest"];
            };
        };
        responses: {
            /** @description Agents that would be affected, and how many would not */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["SimulatedChange"][];
                        /** @description Pass as `after` for the next page */
                        next?: string;
                        unchanged: number;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-policies-matches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    patterns: string[];
                };
            };
        };
        responses: {
            /** @description One for each pattern, in the same order */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["PatternMatch"][];
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-policies-kind": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description policy, provider, profile, group or pack */
                kind: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["PolicyDocument"][];
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "put-policies-kind-name": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description policy, provider, profile, group or pack */
                kind: string;
                /** @description Its name; the policy of the tenant is called `tenant` */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    body?: components["schemas"]["Json"];
                    /** @description Change it only if it still has this version */
                    version?: number;
                };
            };
        };
        responses: {
            /** @description The document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyDocument"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-policies-kind-name": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description policy, provider, profile, group or pack */
                kind: string;
                /** @description Its name; the policy of the tenant is called `tenant` */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-catalogue": {
        parameters: {
            query?: {
                state?: "present" | "gone";
                /** @description The `next` of the previous page */
                after?: string;
                /** @description Items per page (default 100, at most 1000) */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tools */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["CatalogueEntry"][];
                        /** @description Pass as `after` for the next page */
                        next?: string;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-network-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rules of the tenant */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkRules"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "put-network-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NetworkRulesRequest"];
            };
        };
        responses: {
            /** @description The rules of the tenant */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkRules"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "put-network-rules-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the rule */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Only for this agent and those below it */
                    agent?: string;
                    /** @description Only for tools of this pack; `code` for tools of your own */
                    pack?: string;
                    /**
                     * @description Hosts: `example.com`, `*.example.com`, `example.com:8443`, `*`
                     * @default []
                     */
                    allow?: string[];
                    /**
                     * @description Hosts that are excluded, whatever allows them
                     * @default []
                     */
                    deny?: string[];
                    /** @description Why it is there */
                    note?: string;
                    /** @description Change it only if it still has this version */
                    version?: number;
                };
            };
        };
        responses: {
            /** @description The rule */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkRule"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-network-rules-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the rule */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-network-rules-explain": {
        parameters: {
            query: {
                /** @description A host name or address, without a scheme */
                host: string;
                /** @description Its port (443) */
                port?: number;
                /** @description The calling agent */
                agent?: string;
                /** @description The pack of the tool */
                pack?: string;
                /** @description A tool; its pack counts */
                tool?: string;
                /** @description For programs in a sandbox: by default for the packs that run them */
                sandbox?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The verdict */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkExplanation"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-network-rules-preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NetworkRulesRequest"];
            };
        };
        responses: {
            /** @description Verdicts that would change */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkPreview"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-approvals": {
        parameters: {
            query?: {
                status?: "pending" | "approved" | "rejected" | "expired" | "cancelled";
                /** @description Only approvals for calls of this tool */
                tool?: string;
                /** @description The order (newest first). A `next` is valid only in the same order */
                order?: "newest" | "oldest";
                /** @description The `next` of the previous page */
                after?: string;
                /** @description Items per page (default 50, at most 200) */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of approvals */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Approval"][];
                        /** @description Pass as `after` for the next page */
                        next?: string;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-approvals-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the approval */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The approval */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-approvals-id-decision": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the approval */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecisionRequest"];
            };
        };
        responses: {
            /** @description The approval; still pending if more people have to approve */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not decide it, or policy no longer allows the call */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It was decided, edited or has expired, or its call has ended */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The edited input does not match the schema of the tool */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-approvals-decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecisionsRequest"];
            };
        };
        responses: {
            /** @description An answer for each */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["DecisionAnswer"][];
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-approval-rules": {
        parameters: {
            query?: {
                /** @description Only rules for calls of this tool */
                tool?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rules */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ApprovalRule"][];
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-approval-rules-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the rule */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-questions": {
        parameters: {
            query?: {
                status?: "pending" | "answered" | "declined" | "expired" | "withdrawn";
                /** @description Only the question of this call */
                call?: string;
                /** @description Only questions that you may answer */
                mine?: "true" | "false";
                /** @description The order (newest first). A `next` is valid only in the same order */
                order?: "newest" | "oldest";
                /** @description The `next` of the previous page */
                after?: string;
                /** @description Items per page (default 50, at most 200) */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of questions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Question"][];
                        /** @description Pass as `after` for the next page */
                        next?: string;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-questions-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the question */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The question */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Question"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-questions-id-answer": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the question */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerRequest"];
            };
        };
        responses: {
            /** @description The question */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Question"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The question is for others */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It was answered, declined or has expired, or its call has ended */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer does not match the schema of the question */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-questions-id-decline": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the question */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DeclineRequest"];
            };
        };
        responses: {
            /** @description The question */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Question"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The question is for others */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It was answered, declined or has expired, or its call has ended */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-questions-id-reassign": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the question */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReassignRequest"];
            };
        };
        responses: {
            /** @description The question */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Question"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It was answered, declined or has expired, or its call has ended */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unknown role or member */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-tools": {
        parameters: {
            query?: {
                /** @description See as this agent */
                agent?: string;
                /** @description With this skill of the agent in force */
                skill?: string;
                /** @description See as if running for this reason */
                runtime?: "chat" | "task" | "subagent" | "room" | "webhook" | "api" | "web" | "mcp" | "cli";
                /** @description Words in the name, title or description */
                q?: string | "";
                /** @description Tools of this pack */
                pack?: string;
                /** @description Tools from this source */
                source?: "builtin" | "code" | "authored" | "gateway" | "api" | "agent";
                effect?: "read" | "write" | "destructive";
                /** @description How they stand */
                state?: "ready" | "misconfigured" | "quarantined";
                /** @description Page on after this name */
                after?: string;
                /** @description Items per page (default 200, at most 1000) */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tools */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Tool"][];
                        /** @description Pass as `after` for the next page */
                        next?: string;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateToolRequest"];
            };
        };
        responses: {
            /** @description The draft, or the published version */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedTool"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-tool-counts": {
        parameters: {
            query?: {
                /** @description See as this agent */
                agent?: string;
                /** @description With this skill of the agent in force */
                skill?: string;
                /** @description See as if running for this reason */
                runtime?: "chat" | "task" | "subagent" | "room" | "webhook" | "api" | "web" | "mcp" | "cli";
                /** @description Words in the name, title or description */
                q?: string | "";
                /** @description Tools of this pack */
                pack?: string;
                /** @description Tools from this source */
                source?: "builtin" | "code" | "authored" | "gateway" | "api" | "agent";
                effect?: "read" | "write" | "destructive";
                /** @description How they stand */
                state?: "ready" | "misconfigured" | "quarantined";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolCounts"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-tool-files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ToolFileProblem"][];
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-tools-name": {
        parameters: {
            query?: {
                /** @description See as this agent */
                agent?: string;
                /** @description With this skill of the agent in force */
                skill?: string;
                /** @description See as if running for this reason */
                runtime?: "chat" | "task" | "subagent" | "room" | "webhook" | "api" | "web" | "mcp" | "cli";
            };
            header?: never;
            path: {
                /** @description Canonical name (`billing.refund`) or wire name (`billing_refund`) */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tool */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolDetail"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-tools-name": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the tool */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What used it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemovedTool"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "patch-tools-name": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the tool */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ToolChange"];
            };
        };
        responses: {
            /** @description The tool after the change */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedTool"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-tool-search": {
        parameters: {
            query: {
                /** @description The task, in a few words */
                q: string;
                /** @description See as this agent */
                agent?: string;
                /** @description Items per page (default 20, at most 100) */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tools that fit */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            name: string;
                            wireName: string;
                            title: string;
                            description: string;
                            /** @enum {string} */
                            effect: "read" | "write" | "destructive";
                            pack: string;
                            /** @enum {string} */
                            source: "builtin" | "code" | "authored" | "gateway" | "api" | "agent";
                        }[];
                        searched: number;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-tool-estimate": {
        parameters: {
            query?: {
                /** @description See as this agent */
                agent?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The estimate */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tools: number;
                        /** @enum {string} */
                        mode: "list" | "search";
                        tokens: {
                            list: number;
                            search: number;
                        };
                        heaviest: {
                            name: string;
                            tokens: number;
                        }[];
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-tools-name-preview": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Canonical or wire name */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewRequest"];
            };
        };
        responses: {
            /** @description The changes that the call would make */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallPreview"];
                };
            };
            /** @description The tool has no preview */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The input does not match its schema */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-tool-tests": {
        parameters: {
            query?: {
                /** @description Only tools that match, such as `billing.*` */
                pattern?: string;
                /** @description As this agent */
                agent?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tools that have tests */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            tool: string;
                            labels: string[];
                        }[];
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-tools-name-tests-run": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Canonical or wire name */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestRunRequest"];
            };
        };
        responses: {
            /** @description The results */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestReport"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-evals": {
        parameters: {
            query?: {
                /** @description Only tools and agents that match, such as `billing.*` or `agent:support` */
                pattern?: string;
                /** @description As this agent, and of agents only its own */
                agent?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tools and agents that have evals */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            /** @description The tool, or `agent:<slug>` */
                            name: string;
                            labels: string[];
                        }[];
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-evals-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EvalRequest"];
            };
        };
        responses: {
            /** @description The results */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvalReport"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such tool or agent */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-authored-tools": {
        parameters: {
            query?: {
                /** @description The `next` of the previous page */
                after?: string;
                /** @description Items per page (default 100, at most 1000) */
                limit?: number;
                /** @description Words in the name, title or description */
                q?: string | "";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["AuthoredTool"][];
                        /** @description Pass as `after` for the next page */
                        next?: string;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-tools-name-source": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the tool */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tool as its authors see it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolSource"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-tool-drafts": {
        parameters: {
            query?: {
                /** @description The `next` of the previous page */
                after?: string;
                /** @description Items per page (default 100, at most 1000) */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of drafts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ToolDraftSummary"][];
                        /** @description Pass as `after` for the next page */
                        next?: string;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "put-tools-name-draft": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the tool */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ToolDraftRequest"];
            };
        };
        responses: {
            /** @description The draft with its findings */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolDraft"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-tools-name-draft": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the tool */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-tools-name-publish": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the tool */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PublishToolRequest"];
            };
        };
        responses: {
            /** @description The published version */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedTool"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-tools-preview-source": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewSourceRequest"];
            };
        };
        responses: {
            /** @description The findings */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolSourcePreview"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-tools-name-test": {
        parameters: {
            query?: never;
            header?: {
                /** @description `respond-async` answers 202 as soon as the call is stored. */
                Prefer?: string;
            };
            path: {
                /** @description The name of the tool */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestToolRequest"];
            };
        };
        responses: {
            /** @description The result, and what was not done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestedTool"];
                };
            };
            /** @description The real call is stored and not settled yet */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestedTool"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-tools-name-versions": {
        parameters: {
            query?: {
                /** @description Page on below this number */
                after?: number;
                /** @description Items per page (default 50, at most 500) */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The name of the tool */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ToolVersion"][];
                        /** @description Pass as `after` for the next page */
                        next?: string;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-tools-name-versions-hash": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the tool */
                name: string;
                /** @description The hash of the version */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The version with its document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolVersionDetail"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-tools-name-versions-hash-restore": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the tool */
                name: string;
                /** @description The hash of the version */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Why it changes, for the list of versions */
                    note?: string;
                };
            };
        };
        responses: {
            /** @description The version in force */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedTool"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-tools-from": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ToolFromRequest"];
            };
        };
        responses: {
            /** @description The document, with its findings */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolFrom"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The call, run or conversation has not ended */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-explain": {
        parameters: {
            query?: {
                /** @description With this skill of the agent active */
                skill?: string;
                runtime?: "chat" | "task" | "subagent" | "room" | "webhook" | "api" | "web" | "mcp" | "cli";
                /** @description See as `member:<id>`, `key:<id>` or `role:<name>` */
                as?: string;
                /** @description With the flags of this session */
                session?: string;
                /** @description See as this agent */
                agent?: string;
                /** @description Only this tool */
                tool?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result of each layer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Explanation"][];
                        /** @description For a session: its flags */
                        flags?: components["schemas"]["SessionFlag"][];
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-explain-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ref_… or call_… */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Then and now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PastDecision"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-agents-slug-tools": {
        parameters: {
            query?: {
                /** @description With this skill of the agent active */
                skill?: string;
                runtime?: "chat" | "task" | "subagent" | "room" | "webhook" | "api" | "web" | "mcp" | "cli";
                /** @description See as `member:<id>`, `key:<id>` or `role:<name>` */
                as?: string;
                /** @description With the flags of this session */
                session?: string;
                /** @description Words of its name or title */
                q?: string;
                decision?: "allow" | "ask" | "hidden";
                /** @description The `next` of the previous page */
                after?: string;
                /** @description Items per page (default 100, at most 1000) */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The agent */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tools, by name, and their total number */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["AgentTool"][];
                        /** @description Pass as `after` for the next page */
                        next?: string;
                        counts: {
                            all: number;
                            allow: number;
                            ask: number;
                            hidden: number;
                        };
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-policy-words": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyWords"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is configured */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-mcp-servers": {
        parameters: {
            query?: {
                /** @description The `next` of the previous page */
                after?: string;
                /** @description Words in the name, title, address or program */
                q?: string | "";
                /** @description Items per page (default 50, at most 200) */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of servers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["McpServer"][];
                        /** @description Pass as `after` for the next page */
                        next?: string;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-mcp-servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["McpServerRequest"];
            };
        };
        responses: {
            /** @description The server */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpServer"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It already exists, or the configuration declares it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-mcp-servers-name": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the server */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The server */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpServer"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-mcp-servers-name": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the server */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It already exists, or the configuration declares it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "patch-mcp-servers-name": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the server */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["McpServerChange"];
            };
        };
        responses: {
            /** @description The server */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpServer"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It already exists, or the configuration declares it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-mcp-servers-name-test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the server */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["McpServerTestRequest"];
            };
        };
        responses: {
            /** @description What came of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpServerTest"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-mcp-servers-name-refresh": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the server */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["McpServerRefreshRequest"];
            };
        };
        responses: {
            /** @description The server */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpServer"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-mcp-servers-name-tools": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the server */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its tools */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["McpTool"][];
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-mcp-servers-name-tools-tool-accept": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the server */
                name: string;
                /** @description The tool, as the server calls it */
                tool: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["McpToolDecision"];
            };
        };
        responses: {
            /** @description The tool */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpTool"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The tool has changed again: review it once more */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-mcp-servers-name-tools-tool-reject": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the server */
                name: string;
                /** @description The tool, as the server calls it */
                tool: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["McpToolDecision"];
            };
        };
        responses: {
            /** @description The tool */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpTool"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The tool has changed again: review it once more */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-mcp-servers-name-tools-decisions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the server */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["McpToolDecisions"];
            };
        };
        responses: {
            /** @description The result for each, in the order of the request */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["McpToolDecided"][];
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-mcp-servers-name-authorize": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the server */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where to sign in */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpSignIn"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-mcp-servers-name-connections": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the server */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who has */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["McpConnection"][];
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-mcp-servers-name-connections": {
        parameters: {
            query?: {
                /** @description The owner of the connection, as in the list; your own if omitted */
                subject?: string;
            };
            header?: never;
            path: {
                /** @description The name of the server */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-apis": {
        parameters: {
            query?: {
                /** @description The `next` of the previous page */
                after?: string;
                /** @description Words in the name, title or address */
                q?: string | "";
                /** @description Items per page (default 50, at most 100) */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of APIs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Api"][];
                        /** @description Pass as `after` for the next page */
                        next?: string;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-apis": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiRequest"];
            };
        };
        responses: {
            /** @description The API */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Api"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It already exists, has changed since, or the configuration declares it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-apis-preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiPreviewRequest"];
            };
        };
        responses: {
            /** @description Its operations */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiPreview"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-apis-name": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the API */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The API */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Api"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-apis-name": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the API */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It already exists, has changed since, or the configuration declares it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "patch-apis-name": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the API */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiChange"];
            };
        };
        responses: {
            /** @description The API */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Api"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It already exists, has changed since, or the configuration declares it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-apis-name-refresh": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the API */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ApiRefreshRequest"];
            };
        };
        responses: {
            /** @description The API, and what has changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiRefresh"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It already exists, has changed since, or the configuration declares it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-apis-name-tools": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the API */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its operations */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ApiTool"][];
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-apis-name-tools-tool-accept": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the API */
                name: string;
                /** @description The operation, the last part of its tool’s name */
                tool: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiToolDecision"];
            };
        };
        responses: {
            /** @description The operation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiTool"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The operation has changed again: review it once more */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-apis-name-tools-tool-reject": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the API */
                name: string;
                /** @description The operation, the last part of its tool’s name */
                tool: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiToolDecision"];
            };
        };
        responses: {
            /** @description The operation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiTool"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The operation has changed again: review it once more */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-apis-name-tools-decisions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the API */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiToolDecisions"];
            };
        };
        responses: {
            /** @description The result for each, in the order of the request */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ApiToolDecided"][];
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-apis-name-tools-tool-document": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the API */
                name: string;
                /** @description The operation, the last part of its tool’s name */
                tool: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, with the parts it cannot express */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnApiTool"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is in quarantine, or the address of the API is not known */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-uploads": {
        parameters: {
            query?: {
                /** @description The `next` of the previous page */
                after?: string;
                /** @description Items per page (default 50, at most 500) */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of uploads */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Upload"][];
                        /** @description Pass as `after` for the next page */
                        next?: string;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-uploads": {
        parameters: {
            query?: {
                /** @description The name of the file (file) */
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description The upload */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
            /** @description The file is empty or incomplete */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Larger than `uploads.maxBytes` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Sent as a form, compressed, or without a type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many uploads at once, or the tenant has reached `uploads.tenantBytes` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-uploads-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the upload */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The upload */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such upload, or not yours */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-uploads-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the upload */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such upload, or not yours */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-uploads-id-content": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the upload */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its bytes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such upload, or not yours */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-workspaces": {
        parameters: {
            query?: {
                /** @description The `next` of the previous page */
                after?: string;
                /** @description Items per page (default 50, at most 500) */
                limit?: number;
                /** @description Only that of this session */
                sessionId?: string;
                /** @description Only those that this agent used first */
                agent?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of workspaces */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Workspace"][];
                        /** @description Pass as `after` for the next page */
                        next?: string;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-workspaces-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workspace */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-workspaces-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "patch-workspaces-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkspaceChange"];
            };
        };
        responses: {
            /** @description The workspace */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-workspaces-id-files": {
        parameters: {
            query?: {
                /** @description A folder (the root) */
                path?: string;
                /** @description Include what is in its folders */
                recursive?: "true" | "false";
                /** @description Items per page (default 1000, at most 20000) */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The id of the workspace */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its files and folders */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["WorkspaceEntry"][];
                        /** @description There is more than fits */
                        isPartial: boolean;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-workspaces-id-changes": {
        parameters: {
            query?: {
                /** @description Items per page (default 200, at most 1000) */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The id of the workspace */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changed files, by path */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ChangedFile"][];
                        /** @description There is more than fits */
                        isPartial: boolean;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-workspaces-id-accept": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-workspaces-id-file": {
        parameters: {
            query: {
                /** @description The path of the file in the workspace */
                path: string;
                /** @description Ignored: browsers always save the file */
                download?: string;
            };
            header?: never;
            path: {
                /** @description The id of the workspace */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its bytes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "put-workspaces-id-file": {
        parameters: {
            query: {
                /** @description The path of the file in the workspace */
                path: string;
            };
            header?: never;
            path: {
                /** @description The id of the workspace */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceEntry"];
                };
            };
            /** @description The file is incomplete */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Sent as a form, compressed, or without a type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not fit into the workspace */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-workspaces-id-file": {
        parameters: {
            query: {
                /** @description A file, a link or a folder */
                path: string;
                /** @description Delete a folder with everything in it */
                recursive?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description The id of the workspace */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-workspaces-id-uploads": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The id of an upload */
                    upload: string;
                    /** @description Where to put it (its name) */
                    path?: string;
                };
            };
        };
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceEntry"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-workspaces-id-archive": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A zip with its files */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-conversations-id-files-file-copy": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the conversation */
                id: string;
                /** @description The id of the file */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Where to put it (`attachments/` and its name) */
                    path?: string;
                };
            };
        };
        responses: {
            /** @description The file in the workspace */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlacedFile"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-chat-agents": {
        parameters: {
            query?: {
                /** @description The `next` of the previous page */
                after?: string;
                /** @description Items per page (default 50, at most 200) */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of agents */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ChatAgent"][];
                        /** @description Pass as `after` for the next page */
                        next?: string;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-conversations": {
        parameters: {
            query?: {
                /** @description Only with this agent */
                agent?: string;
                kind?: "chat" | "task" | "subagent" | "agent";
                /** @description `true`: only your own, even if you may read others */
                own?: "true" | "false";
                /** @description The `next` of the previous page */
                after?: string;
                /** @description Items per page (default 50, at most 500) */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of conversations */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Conversation"][];
                        /** @description Pass as `after` for the next page */
                        next?: string;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-conversations-id": {
        parameters: {
            query?: {
                /** @description Messages after this place */
                after?: number;
                /** @description Items per page (default 100, at most 1000) */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The id of the conversation */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationDetail"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-conversations-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the conversation */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A turn is under way */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-conversations-id-files-file": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the conversation */
                id: string;
                /** @description The id of the file */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its bytes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-agents-slug-runs": {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key returns the run that the first one started. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The agent */
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunRequest"];
            };
        };
        responses: {
            /** @description The run */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-runs": {
        parameters: {
            query?: {
                /** @description Only of this agent */
                agent?: string;
                status?: "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";
                /** @description Only of this conversation */
                conversationId?: string;
                /** @description The `next` of the previous page */
                after?: string;
                /** @description Items per page (default 50, at most 500) */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of runs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Run"][];
                        /** @description Pass as `after` for the next page */
                        next?: string;
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-runs-id": {
        parameters: {
            query?: {
                /** @description Seconds to wait for its end */
                wait?: number | null;
            };
            header?: never;
            path: {
                /** @description The id of the run */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-runs-id-cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the run */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-backup": {
        parameters: {
            query?: {
                /** @description Include the files of workspaces */
                workspaces?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archive */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-sandbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The last check */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxState"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-sandbox-check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxState"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-workspaces-id-processes": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description In the order in which they were started */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ProcessStatus"][];
                    };
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such workspace or process, or not yours */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-workspaces-id-processes-pid-output": {
        parameters: {
            query?: {
                stream?: "stdout" | "stderr";
                /** @description Where to read on: `next` of the previous answer */
                offset?: number | null;
                maxBytes?: number;
            };
            header?: never;
            path: {
                /** @description The id of the workspace */
                id: string;
                /** @description The number of the process in this workspace */
                pid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A piece of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProcessOutput"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such workspace or process, or not yours */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-workspaces-id-processes-pid-kill": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace */
                id: string;
                /** @description The number of the process in this workspace */
                pid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    signal?: "SIGTERM" | "SIGKILL" | "SIGINT" | "SIGHUP";
                };
            };
        };
        responses: {
            /** @description How it is afterwards */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProcessStatus"];
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such workspace or process, or not yours */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-skills-name-files-path": {
        parameters: {
            query?: {
                /** @description A version, or at least its first 8 characters; the newest if omitted */
                version?: string;
            };
            header?: never;
            path: {
                /** @description The name of the skill */
                name: string;
                /** @description The path of the file within the skill */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its bytes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-agents-slug-chat": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent */
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatRequest"];
            };
        };
        responses: {
            /** @description The UI message stream of the AI SDK, version 1 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A turn is under way, or waits */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-agents-slug-chat-conversation-stream": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent */
                slug: string;
                /** @description The conversation, by either name */
                conversation: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The UI message stream of the AI SDK, version 1 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Nothing runs */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing, wrong or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-calls-id-complete": {
        parameters: {
            query?: never;
            header?: {
                /** @description `Bearer <completion token>`: `ctx.completion.token` of the tool, no API key. */
                Authorization?: string;
            };
            path: {
                /** @description The id of the call */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompletionReport"];
            };
        };
        responses: {
            /** @description Taken: the call has settled */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompletionReceipt"];
                };
            };
            /** @description The report is not well formed, or failed without an error */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token was sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such call, another token, or not handed over */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The call has settled, and stays as it is */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Larger than `limits.completionBytes` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many wrong tokens from this address */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-calls-id-progress": {
        parameters: {
            query?: never;
            header?: {
                /** @description `Bearer <completion token>`: `ctx.completion.token` of the tool, no API key. */
                Authorization?: string;
            };
            path: {
                /** @description The id of the call */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProgressReport"];
            };
        };
        responses: {
            /** @description Taken */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No token was sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such call, another token, or not handed over */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The call has settled, and stays as it is */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many wrong tokens from this address */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInRequest"];
            };
        };
        responses: {
            /** @description Signed in; the cookie holds the sign-in */
            200: {
                headers: {
                    /** @description The sign-in: HttpOnly, SameSite=Lax */
                    "set-cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            /** @description Sign-in failed; the answer does not say why */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many attempts; Retry-After has the seconds to wait */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "post-invitations-accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitationRequest"];
            };
        };
        responses: {
            /** @description Signed in; the cookie holds the sign-in */
            200: {
                headers: {
                    /** @description The sign-in: HttpOnly, SameSite=Lax */
                    "set-cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            /** @description Sign-in failed; the answer does not say why */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many attempts; Retry-After has the seconds to wait */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-well-known-oauth-protected-resource": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metadata */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProtectedResource"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-well-known-oauth-protected-resource-mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metadata */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProtectedResource"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-well-known-oauth-protected-resource-mcp-agent": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug of the agent */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metadata */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProtectedResource"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-well-known-oauth-protected-resource-mcp-servers-server": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the server */
                server: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metadata */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProtectedResource"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It answers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ok";
                    };
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ready */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description Not ready */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "get-metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Prometheus text */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain; version=0.0.4": string;
                };
            };
            /** @description The error, with a fix */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
