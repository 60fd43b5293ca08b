import { createTheme, Modal, Tooltip } from '@mantine/core'
import type { CSSVariablesResolver, MantineColorsTuple } from '@mantine/core'
import styles from './theme.module.css'

const iris: MantineColorsTuple = [
  '#eef0ff',
  '#e1e4ff',
  '#c5caff',
  '#a5acff',
  '#8b92ff',
  '#717afb',
  '#5a62f4',
  '#4b4fdd',
  '#3c3fb9',
  '#2f3191',
]

const gray: MantineColorsTuple = [
  '#f9fafb',
  '#f2f3f5',
  '#e8e9ed',
  '#dcdee3',
  '#c9ccd3',
  '#9a9ea8',
  '#666a74',
  '#4c505a',
  '#2f333c',
  '#151821',
]

const dark: MantineColorsTuple = [
  '#ecedef',
  '#c9cbd0',
  '#a3a6ad',
  '#8d919a',
  '#3a3f4a',
  '#22262d',
  '#15181e',
  '#0e1015',
  '#090b10',
  '#050609',
]

const red: MantineColorsTuple = [
  '#fff0f0',
  '#fde3e3',
  '#f9c4c6',
  '#f29da1',
  '#e8737a',
  '#dc4c57',
  '#cf2f3d',
  '#b91c2c',
  '#9b1623',
  '#7d1518',
]

/** The button of a dialog has only a cross. */
const closeButtonProps = { 'aria-label': 'Close' }

/**
 * A quiet instrument: neutral surfaces, one accent, and colour only where it means something
 * (allow, ask, deny; read, write, destructive; how a call ended).
 */
export const theme = createTheme({
  primaryColor: 'iris',
  primaryShade: { light: 7, dark: 7 },
  colors: { iris, gray, dark, red },
  white: '#fff',
  black: '#151821',
  fontFamily: "'Inter Variable', Inter, ui-sans-serif, system-ui, sans-serif",
  fontFamilyMonospace: "'Geist Mono Variable', ui-monospace, 'SF Mono', Menlo, monospace",
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '15px', xl: '20px' },
  lineHeights: { xs: '1.5', sm: '1.55', md: '1.55', lg: '1.45', xl: '1.3' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '1.3' },
      h2: { fontSize: '15px', lineHeight: '1.4' },
      h3: { fontSize: '13px', lineHeight: '1.5' },
    },
  },
  components: {
    Button: { defaultProps: { size: 'sm' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 32 } },
    Card: { defaultProps: { withBorder: true, padding: 'md', radius: 'md' } },
    Paper: { defaultProps: { radius: 'md' } },
    TextInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm', checkIconPosition: 'right' } },
    // A header inside a dialog would be a second banner of the page.
    ModalHeader: { defaultProps: { component: 'div' } },
    DrawerHeader: { defaultProps: { component: 'div' } },
    Modal: Modal.extend({
      defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.4 }, closeButtonProps },
    }),
    Drawer: { defaultProps: { closeButtonProps } },
    Tooltip: Tooltip.extend({ defaultProps: { withArrow: true, openDelay: 300, fz: 'xs' } }),
    Tabs: { defaultProps: { keepMounted: false }, classNames: { list: styles.tabs } },
  },
})

/** Mantine's own variables, pointed at our tokens (tokens.css), so that all of it follows them. */
export const cssVariables: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--surface)',
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-dimmed': 'var(--dim)',
    '--mantine-color-placeholder': 'var(--dim)',
    '--mantine-color-default': 'var(--surface)',
    '--mantine-color-default-hover': 'var(--raised)',
    '--mantine-color-default-border': 'var(--line-strong)',
    '--mantine-color-error': 'var(--deny-text)',
    '--mantine-color-anchor': 'var(--iris)',
  }
  return { variables: {}, light: shared, dark: shared }
}
