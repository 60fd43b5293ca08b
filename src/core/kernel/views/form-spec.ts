import { z } from 'zod'

/** The widgets of a field, where its value allows them. */
export const formWidgets = [
  'text',
  'textarea',
  'secret',
  'file',
  'select',
  'segmented',
  'switch',
  'slider',
  'list',
  'json',
] as const

const text = (max: number) => z.string().trim().min(1).max(max)
const names = z.array(text(200)).max(500)

const field = z.strictObject({
  label: text(200).optional(),
  help: text(2000).optional(),
  placeholder: text(200).optional(),
  widget: z.enum(formWidgets).optional(),
  hidden: z.boolean().optional(),
  /** For an object: its properties in this order. */
  order: names.optional(),
})

const group = z.strictObject({
  label: text(200),
  description: text(2000).optional(),
  fields: names.min(1),
  collapsed: z.boolean().optional(),
})

/** Validates `form` in a definition. */
export const formSpec = z.strictObject({
  order: names.optional(),
  groups: z.array(group).max(50).optional(),
  fields: z.record(z.string().max(500), field).optional(),
})

/**
 * How people fill in a tool's input, where the schema alone is not enough: the order and groups of
 * fields, and for each field its label, help, placeholder, widget, or whether it is hidden. A field
 * is named by its path: `customer.email`, `tasks[].name`.
 */
export type FormSpec = z.output<typeof formSpec>
