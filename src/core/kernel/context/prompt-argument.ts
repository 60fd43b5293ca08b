/** What a prompt asks for. */
export interface PromptArgument {
  name: string
  title?: string
  description?: string
  required?: boolean
}
