import { z } from 'zod'
import { apiNameSchema, apiSettings } from './spec.ts'

/** APIs as the configuration declares them. */
export const apisSchema = z
  .record(
    apiNameSchema,
    z
      .strictObject({
        url: z
          .url({ protocol: /^https?$/ })
          .max(2000)
          .optional()
          .describe('The address of its OpenAPI or Swagger document'),
        file: z
          .string()
          .min(1)
          .max(1000)
          .optional()
          .describe('Or its file; relative to the configuration'),
        ...apiSettings,
      })
      .refine(({ url, file }) => (url === undefined) !== (file === undefined), {
        error: 'must have either a url or a file',
      }),
  )
  .default({})
