import { Button } from '@mantine/core'
import type { ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'

type AnchorProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ButtonProps>

/** A link of the console that looks like a button. */
export const LinkButton = createLink(function ButtonLink({
  ref,
  ...props
}: ButtonProps & AnchorProps & { ref?: Ref<HTMLAnchorElement> }) {
  return <Button ref={ref} component="a" {...props} />
})
