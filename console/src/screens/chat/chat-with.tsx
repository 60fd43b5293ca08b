import { ActionIcon, Button, Drawer, Title, Tooltip } from '@mantine/core'
import { useDisclosure, useDocumentTitle } from '@mantine/hooks'
import { IconList, IconTools } from '@tabler/icons-react'
import { ConversationList } from './side/conversation-list.tsx'
import { ToolPanel } from './side/tool-panel.tsx'
import { ConversationView } from './conversation-view.tsx'
import { useOffer, useChatAgents } from './use-agents.ts'
import styles from './chat.module.css'

interface ChatWithProps {
  agent: string
  conversation: string | undefined
  prompt: string | undefined
}

/** An agent, your conversations with it, and the selected one. */
export function ChatWith({ agent, conversation, prompt }: ChatWithProps) {
  const { data } = useChatAgents()
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
        <ChatHead
          agent={agent}
          name={name}
          model={known?.model}
          onList={list.open}
          onTools={tools.open}
        />
        <ConversationView
          agent={agent}
          name={name}
          conversation={conversation}
          model={known?.model ?? ''}
          trouble={known?.problem}
          prompt={prompt}
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

interface ChatHeadProps {
  agent: string
  name: string
  model: string | undefined
  onList: () => void
  onTools: () => void
}

function ChatHead({ agent, name, model, onList, onTools }: ChatHeadProps) {
  return (
    <div className={styles.head}>
      <div className={styles.headTitles}>
        <Title order={1} dir="auto">
          {name}
        </Title>
        <p>{useSummary(agent, model)}</p>
      </div>
      <div className={styles.headActions}>
        <Tooltip label="Conversations">
          <ActionIcon
            variant="default"
            aria-label="Conversations"
            className={styles.onlyNarrow}
            onClick={onList}
          >
            <IconList size={16} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
        <Button
          variant="default"
          size="compact-md"
          leftSection={<IconTools size={15} stroke={1.6} />}
          onClick={onTools}
        >
          Tools
        </Button>
      </div>
    </div>
  )
}

/** `Agent analyst · 6 tools, 3 need approval · demo`. */
function useSummary(agent: string, model: string | undefined): string {
  const { data } = useOffer(agent)
  const items = data?.items ?? []
  const asking = items.filter(({ asks, mayAsk }) => asks || mayAsk).length
  const tools =
    data === undefined
      ? []
      : [
          `${items.length}${data.next === undefined ? '' : '+'} tools${asking === 0 ? '' : `, ${asking} need${asking === 1 ? 's' : ''} approval`}`,
        ]
  return [`Agent ${agent}`, ...tools, ...(model ? [`model ${model}`] : [])].join(' · ')
}
