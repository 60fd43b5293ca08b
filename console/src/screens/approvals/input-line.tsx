import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { entitiesIn, modelOf, treeToText, toInputTree } from '../../input/input-tree.ts'
import { useEntityNames } from '../../form/entities/use-entity-names.ts'

interface InputLineProps {
  tool: Api<'ToolDetail'> | undefined
  value: JsonValue
}

/** An input in one line, with the names of the entities in it. */
export function InputLine({ tool, value }: InputLineProps) {
  const tree = toInputTree(modelOf(tool), value)
  const { nameOf } = useEntityNames(entitiesIn(tree))
  return <>{treeToText(tree, (of) => nameOf(of)?.label)}</>
}
