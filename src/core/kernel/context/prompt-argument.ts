/** An argument of a prompt. */
export interface PromptArgument {
  name: string
  title?: string
  description?: string
  required?: boolean
}
