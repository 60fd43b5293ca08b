import { Drawer, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { DecisionTag, EffectTag } from '../../../ui/status-tags.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Empty } from '../../../ui/states.tsx'
import { useOffer } from '../use-agents.ts'
import type { OfferedTool } from '../use-agents.ts'
import styles from './tool-panel.module.css'

interface ToolPanelProps {
  agent: string
  isOpen: boolean
  onClose: () => void
}

/** The tools an agent can use in a chat, and which of them need approval. */
export function ToolPanel({ agent, isOpen, onClose }: ToolPanelProps) {
  return (
    <Drawer opened={isOpen} onClose={onClose} position="right" title={`Tools of ${agent}`}>
      <Tools agent={agent} />
    </Drawer>
  )
}

const filterFrom = 8

function Tools({ agent }: { agent: string }) {
  const query = useOffer(agent)
  const [text, setText] = useState('')
  return (
    <QueryView query={query}>
      {({ items, mode }) => (
        <>
          {items.length > filterFrom && (
            <TextInput
              aria-label="Find a tool"
              placeholder="Find a tool"
              mb="sm"
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          )}
          {mode === 'search' && (
            <p className={styles.hint}>
              The agent has more tools, which it finds with tools.search.
            </p>
          )}
          {items.length === 0 && (
            <Empty title="No tools">Someone who manages agents can grant tools to it.</Empty>
          )}
          <ul className={styles.list}>
            {items
              .filter((tool) => fits(tool, text))
              .map((tool) => (
                <li key={tool.name}>
                  <div className={styles.row}>
                    <Link to="/tools/$name" params={{ name: tool.name }} dir="auto">
                      {tool.title}
                    </Link>
                    <span>
                      <EffectTag effect={tool.effect} />{' '}
                      <DecisionTag decision={tool.asks || tool.mayAsk ? 'ask' : 'allow'} />
                    </span>
                  </div>
                  <code>{tool.name}</code>
                </li>
              ))}
          </ul>
        </>
      )}
    </QueryView>
  )
}

function fits({ name, title }: OfferedTool, text: string): boolean {
  const wanted = text.trim().toLowerCase()
  return `${name} ${title}`.toLowerCase().includes(wanted)
}
