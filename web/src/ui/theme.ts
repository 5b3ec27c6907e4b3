/** Mantine, told by tokens. Colours come from CSS alone: nothing is written into the page, so no policy needs an exception. */
import { createTheme, type VariantColorsResolver } from '@mantine/core';
import { holdFocus, lendFocus } from './focus.ts';

const look: Record<string, ReturnType<VariantColorsResolver>> = {
  filled: { background: 'var(--accent)', hover: 'var(--accent-hover)', color: 'var(--on-accent)', border: 'none' },
  danger: { background: 'var(--danger)', hover: 'var(--danger-hover)', color: 'var(--on-danger)', border: 'none' },
  'danger-outline': {
    background: 'transparent',
    hover: 'var(--st-errored-soft)',
    color: 'var(--danger)',
    border: '1px solid var(--danger)',
  },
  default: {
    background: 'var(--ground-surface)',
    hover: 'var(--ground-hover)',
    color: 'var(--text)',
    border: '1px solid var(--line-control)',
  },
  subtle: { background: 'transparent', hover: 'var(--ground-hover)', color: 'var(--text-muted)', border: 'none' },
};

export const theme = createTheme({
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--font-mono)',
  cursorType: 'pointer',
  respectReducedMotion: true,
  variantColorResolver: ({ variant }) => look[variant] ?? look['default']!,
  components: {
    // The page is held still by a rule of theme.css; Mantine's way would write a style into the page.
    Modal: { defaultProps: { lockScroll: false, returnFocus: false, transitionProps: { duration: 0 } } },
    ModalContent: { defaultProps: { ref: holdFocus } },
    Menu: {
      defaultProps: {
        withInitialFocusPlaceholder: false,
        returnFocus: false,
        transitionProps: { duration: 0 },
        position: 'bottom-end',
        withinPortal: true,
      },
    },
    MenuDropdown: { defaultProps: { ref: lendFocus } },
    Popover: { defaultProps: { transitionProps: { duration: 0 } } },
    PopoverDropdown: { defaultProps: { ref: lendFocus } },
    Tooltip: { defaultProps: { events: { hover: true, focus: true, touch: true }, openDelay: 300 } },
    Select: { defaultProps: { allowDeselect: false, comboboxProps: { transitionProps: { duration: 0 } } } },
    TextInput: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    Textarea: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'], autosize: true, minRows: 3 },
    },
  },
});
