// Before the first paint: the scheme that was chosen here, or the system's.
(() => {
  const chosen = localStorage.getItem('mantine-color-scheme-value');
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light';
  document.documentElement.dataset.density = localStorage.getItem('terrane.density') ?? 'comfortable';
})();
