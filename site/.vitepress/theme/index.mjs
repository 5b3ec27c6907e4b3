// The default theme without its fonts, which would be half of what a page weighs.
import theme from 'vitepress/theme-without-fonts';

export default theme;
