import { ActionIcon, Button, Drawer, Title, Tooltip } from '@mantine/core'
import { useDisclosure, useDocumentTitle } from '@mantine/hooks'
import { IconList, IconTools } from '@tabler/icons-react'
import { ConversationList } from './side/conversation-list.tsx'
import { ToolPanel } from './side/tool-panel.tsx'
import { ConversationView } from './conversation-view.tsx'
import { useOffer, useTalkAgents } from './use-agents.ts'
import styles from './chat.module.css'

interface ChatWithProps {
  agent: string
  conversation: string | undefined
  say: string | undefined
}

/** An agent, one's conversations with it, and one of them. */
export function ChatWith({ agent, conversation, say }: ChatWithProps) {
  const { data } = useTalkAgents()
  const known = data?.items.find(({ slug }) => slug === agent)
  const name = known?.name ?? agent
  useDocumentTitle(`${name} · Chat · Toolcrib`)
  const [isListOpen, list] = useDisclosure()
  const [areToolsOpen, tools] = useDisclosure()
  return (
    <div className={styles.chat}>
      <aside className={styles.side} data-inline>
        <ConversationList agent={agent} current={conversation} />
      </aside>
      <div className={styles.main}>
        <div className={styles.head}>
          <div className={styles.headTitles}>
            <Title order={1} dir="auto">
              {name}
            </Title>
            <p>{useWords(agent, known?.model)}</p>
          </div>
          <div className={styles.headActions}>
            <Tooltip label="Conversations">
              <ActionIcon
                variant="default"
                aria-label="Conversations"
                className={styles.onlyNarrow}
                onClick={list.open}
              >
                <IconList size={16} stroke={1.6} />
              </ActionIcon>
            </Tooltip>
            <Button
              variant="default"
              size="compact-md"
              leftSection={<IconTools size={15} stroke={1.6} />}
              onClick={tools.open}
            >
              Tools
            </Button>
          </div>
        </div>
        <ConversationView
          agent={agent}
          conversation={conversation}
          model={known?.model ?? ''}
          trouble={known?.problem}
          say={say}
        />
      </div>
      <Drawer
        opened={isListOpen}
        onClose={list.close}
        title="Conversations"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <ConversationList agent={agent} current={conversation} onNavigate={list.close} />
      </Drawer>
      <ToolPanel agent={agent} isOpen={areToolsOpen} onClose={tools.close} />
    </div>
  )
}

/** `Agent analyst · 6 tools, 3 ask first · demo`. */
function useWords(agent: string, model: string | undefined): string {
  const { data } = useOffer(agent)
  const items = data?.items ?? []
  const asking = items.filter(({ asks, mayAsk }) => asks || mayAsk).length
  const tools =
    data === undefined
      ? []
      : [
          `${items.length}${data.next === undefined ? '' : '+'} tools${asking === 0 ? '' : `, ${asking} ask${asking === 1 ? 's' : ''} first`}`,
        ]
  return [`Agent ${agent}`, ...tools, ...(model ? [`model ${model}`] : [])].join(' · ')
}
