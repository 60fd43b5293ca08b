import { ActionIcon, Button, Title, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFolders, IconList, IconTools } from '@tabler/icons-react'
import { MakeToolButton } from '../studio/from/make-tool-button.tsx'
import { ToolPanel } from './side/tool-panel.tsx'
import { useOffer } from './use-agents.ts'
import styles from './chat.module.css'

interface ChatHeadProps {
  agent: string
  name: string
  model: string | undefined
  onList: () => void
  /** There is a conversation that files can belong to. */
  onFiles?: () => void
  areFilesOpen: boolean
  conversation: string | undefined
}

/** The agent of a chat, with the ways to its conversations, files and tools. */
export function ChatHead(props: ChatHeadProps) {
  const { agent, name, model, onList, onFiles, areFilesOpen, conversation } = props
  const [areToolsOpen, tools] = useDisclosure()
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
        {conversation !== undefined && <MakeToolButton source={{ conversation }} isIcon />}
        {onFiles !== undefined && (
          <Button
            variant="default"
            size="compact-md"
            aria-expanded={areFilesOpen}
            leftSection={<IconFolders size={15} stroke={1.6} />}
            onClick={onFiles}
          >
            Files
          </Button>
        )}
        <Button
          variant="default"
          size="compact-md"
          leftSection={<IconTools size={15} stroke={1.6} />}
          onClick={tools.open}
        >
          Tools
        </Button>
      </div>
      <ToolPanel agent={agent} isOpen={areToolsOpen} onClose={tools.close} />
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
