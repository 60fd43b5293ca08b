import type { ClientAbility } from '../kernel/context/caller-client.ts'
import type { ErrorCode } from '../kernel/errors.ts'
import type { ToolLabels } from '../kernel/tool-labels.ts'
import type { JsonValue } from '../kernel/json.ts'
import type { Runtime } from '../kernel/runtime.ts'
import type { Condition } from '../shapes/condition.ts'
import type { FormInput, SectionFieldsInput, ViewInput } from './shown-facts.ts'

/** A secret that a tool needs: its key, or its key with a description for people. */
export type SecretDeclaration =
  | string
  | {
      /**
       * The name it is stored under, such as `stripe_key`: a letter, then letters, digits, `_`,
       * `.`, `-`.
       */
      readonly key: string
      /** The label beside the field; derived from the key by default. */
      readonly label?: string
      /** The tool runs without it; `ctx.secrets` then lacks the key. Default: `false`. */
      readonly optional?: boolean
      /**
       * Makes an optional secret required while an option of the agent has a value, such as
       * `{ option: 'provider', is: 'exa' }`. Where that option is not set or null, the value of
       * another secret of this tool counts: `{ option: 'provider', secret: 'provider', is: 'exa' }`.
       */
      readonly requiredWhen?: {
        /** The option of the agent that decides. */
        readonly option?: string
        /** The secret that decides where the option is not set. */
        readonly secret?: string
        /** The value that makes this secret required. */
        readonly is: string
      }
      /** A free text, or a choice from `choices`. */
      readonly type?: 'text' | 'select'
      /** The values of a `select`. */
      readonly choices?: readonly string[]
      /** Redacted from outputs, errors, progress and logs. Default: `true` for texts, `false` for selects. */
      readonly sensitive?: boolean
    }

/** When the caller gets its answer. */
export type Execution = 'inline' | 'background' | 'external'

/**
 * Everything a tool declares besides its schemas and functions. A type test compares it with the
 * schema that validates it at run time. Not an interface: within the union that `defineTool` takes,
 * editors show no text for those keys of an interface that depend on its type parameters.
 */
export type ToolFactsInput<
  Secrets extends readonly SecretDeclaration[] = readonly SecretDeclaration[],
  Env extends readonly string[] = readonly string[],
  Way extends Execution = Execution,
> = {
  /**
   * The name it is called by: `pack.verb`, lower case, such as `billing.refund`. At most 100
   * characters.
   */
  name: string
  /** The name in lists and forms. Derived from the name by default. */
  title?: string
  /**
   * For models: describe what it does, when to use it and what to try first. At most 1,024
   * characters.
   */
  description: string
  /** Its icon: an `https:` address, a `data:image/…` URL, or the name of a tabler outline icon. */
  icon?: string
  /** The pack it belongs to. Default: the first part of its name. */
  pack?: string
  /**
   * The effect of a call. Decides what is recorded before it runs and what agents need approval
   * for.
   *
   * - `read`: only reads. - `write`: changes something that can be changed back. - `destructive`:
   * changes something permanently.
   */
  effect: 'read' | 'write' | 'destructive'
  /**
   * Doing it twice has the same effect as doing it once. Default: `true` for reads, otherwise
   * `false`.
   */
  idempotent?: boolean
  /**
   * Reaches systems outside this organisation, such as the web. Reported to MCP clients. Default:
   * `false`.
   */
  openWorld?: boolean
  /**
   * Valid inputs: they fill forms and help texts, and `toolcrib check` verifies that they are still
   * valid.
   */
  examples?: readonly {
    /** A title for the example. */
    label: string
    /** An input that passes `inputSchema`. */
    input: JsonValue
  }[]
  /**
   * Secrets it needs, passed as `ctx.secrets`. While a required one is missing, no agent is offered
   * the tool.
   */
  secrets?: Secrets
  /**
   * Environment variables it needs, passed as `ctx.env`. While one is missing, no agent is offered
   * the tool.
   */
  env?: Env
  /** A permission that the caller must hold, such as `billing.refund`. */
  permission?: string
  /** `always`: a person must approve every call. `auto`: policy decides. Default: `auto`. */
  approval?: 'auto' | 'always'
  /** Slugs of the tenants that have the tool. Default: all of them. */
  tenants?: readonly string[]
  /** Where it can be called from: agents at work (`chat`, `task`, …) or surfaces (`api`, `mcp`, …). Default: everywhere. */
  runtimes?: readonly Runtime[]
  /**
   * When the caller gets its answer.
   *
   * - `inline`: once the tool has run. - `background`: at once, with a call id; a worker runs the
   * tool. - `external`: at once; `execute` hands the work to an external worker, which completes
   * the call.
   *
   * Default: `inline`.
   */
  execution?: Way
  /**
   * `worker` runs it in a worker thread, which is terminated when the call times out or is cancelled.
   * For tools that compute for long without awaiting.
   */
  isolation?: 'inline' | 'worker'
  /** How long `execute` may take, in milliseconds: 1 to 86,400,000 (a day). Default: 30,000. */
  timeoutMs?: number
  /**
   * For external tools: how long the external work may take, in milliseconds. Default: 86,400,000
   * (a day).
   */
  completionMs?: number
  /**
   * The longest output in bytes of JSON; the rest is stored as an artifact. 1,024 to 16,777,216.
   * Default: 51,200.
   */
  maxOutputBytes?: number
  /**
   * How often a retryable failure is retried: 0 to 10. For reads and idempotent tools only.
   * Default: 0.
   */
  retries?: number
  /**
   * Units that a completed call costs, in addition to those reported with `ctx.cost()`. Default: 0.
   */
  cost?: number
  /** How many of its queued calls run at once, across all nodes. Default: no limit of its own. */
  concurrency?: number
  /** How single keys of the output are shown; `view` offers more control. */
  sections?: readonly {
    /** The key of the output. */
    key: string
    /** Its heading. */
    label: string
    /** How it is drawn. */
    type:
      | 'summary'
      | 'table'
      | 'chart'
      | 'radar'
      | 'ranking'
      | 'markdown'
      | 'image'
      | 'json'
      | 'code'
      | 'terminal'
      | 'diff'
      | 'page'
    /** Keys with facts about it, such as the path of code: only those that have another name. */
    fields?: SectionFieldsInput
  }[]
  /** The form that people fill in: order, groups, labels and widgets of its fields. */
  form?: FormInput
  /** How people see the output: tables, charts, formats. */
  view?: ViewInput
  /** Several people each submit an input; `aggregate` merges them. Default: `false`. */
  collaborative?: boolean
  /** Former names: calls by them still work. */
  aliases?: readonly string[]
  /** The data it reads and its effects, for the rule that keeps private data from leaking. */
  labels?: ToolLabels
  /**
   * Abilities that the calling MCP client needs, such as `elicitation.form`; others are refused.
   */
  clientNeeds?: readonly ClientAbility[]
  /**
   * With `preview`: an approved call waits for approval again if what it would do has changed.
   * Default: `true` for destructive tools, otherwise `false`.
   */
  previewBinds?: boolean
  /**
   * With `undo`: for how long a completed call can be undone, in milliseconds. Default: 86,400,000
   * (a day).
   */
  undoMs?: number
  /** Calls with their expected results, run by `toolcrib test`. */
  tests?: readonly {
    /** A title for the test. */
    label: string
    /** The input of the call. */
    input: JsonValue
    /** The expected result. */
    expect: {
      /** Default: `completed`, or `failed` with an error. */
      status?: 'completed' | 'failed' | 'denied' | undefined
      /** A pattern: only the listed keys are compared; `<string>`, `<number>` … is any value of a type. */
      output?: JsonValue | undefined
      /** The code of the error. */
      error?: ErrorCode | undefined
      /** Conditions on `input`, `output` and `call`. */
      where?: readonly Condition[] | undefined
    }
    /** Outputs of tools that it calls, by name. They are not called. */
    given?: Readonly<Record<string, JsonValue>> | undefined
  }[]
  /** Requests with the calls that a model should make for them, run by `toolcrib eval`. */
  evals?: readonly {
    /** A title for the eval. Default: the request. */
    label?: string | undefined
    /** The request, as a person writes it. */
    say: string
    /** The slug of the agent that gets it. Default: the one that the run names. */
    as?: string | undefined
    /** The expected choice of tools. */
    expect: {
      /** Calls that should be made, in any order. */
      calls?:
        | readonly {
            /** The name of the tool. */
            tool: string
            /** A pattern for its input. */
            input?: JsonValue | undefined
          }[]
        | undefined
      /** Tools that should not be called. */
      not?: readonly string[] | undefined
      /** The most calls that may be made. */
      maxCalls?: number | undefined
      /** A condition on `answer` and `calls`, or a pattern for the answer. */
      answer?: JsonValue | undefined
    }
    /** Outputs of tools, by name. They are not called. */
    given?: Readonly<Record<string, JsonValue>> | undefined
  }[]
}
