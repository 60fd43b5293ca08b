import { Link } from '@tanstack/react-router'
import { Markdown } from '../../../output/text/markdown.tsx'
import { OutputView } from '../../../output/output-view.tsx'
import { StatusTag } from '../../../ui/status-tags.tsx'
import type { ToolPart } from '../turn/message.ts'
import styles from './message.module.css'

interface Child {
  status: string
  answer: string
  error: string | null
  conversationId: string | undefined
  prompt: string | undefined
}

/** The answers of sub-agents, one by one. */
export function SentOut({ part }: { part: ToolPart }) {
  const children = childrenOf(part)
  if (children.length === 0) return <OutputView value={part.output ?? null} />
  return (
    <ol className={styles.children}>
      {children.map((child, at) => (
        <li key={child.conversationId ?? at}>
          <div className={styles.childHead}>
            <strong>{children.length === 1 ? 'Agent' : `Agent ${at + 1}`}</strong>
            <StatusTag status={child.status} />
            {child.conversationId !== undefined && (
              <Link to="/calls" search={{ session: child.conversationId }}>
                View calls
              </Link>
            )}
          </div>
          {child.prompt !== undefined && (
            <span className={styles.label} dir="auto">
              {child.prompt}
            </span>
          )}
          {child.error !== null && <p className={styles.failed}>{child.error}</p>}
          {child.answer !== '' && <Markdown text={child.answer} />}
        </li>
      ))}
    </ol>
  )
}

export function childrenOf({ input, output }: Pick<ToolPart, 'input' | 'output'>): Child[] {
  const answer = asRecord(output)
  const tasks = asRecord(input)['tasks']
  const prompts = Array.isArray(tasks) ? tasks.map((task) => asText(asRecord(task)['prompt'])) : []
  const results = Array.isArray(answer['results']) ? answer['results'] : []
  if (results.length === 0 && typeof answer['answer'] === 'string') {
    return [toChild({ status: 'completed', ...answer }, undefined)]
  }
  return results.map((result, at) => toChild(asRecord(result), prompts[at]))
}

function toChild(result: Record<string, unknown>, prompt: string | undefined): Child {
  return {
    status: asText(result['status']) ?? 'completed',
    answer: asText(result['answer']) ?? '',
    error: asText(result['error']) ?? null,
    conversationId: asText(result['conversationId']),
    prompt,
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
