import './ui/styles.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { cache } from './api/cache.ts';
import { onKeyDown } from './frame/keys.ts';
import { at, paths } from './paths.ts';
import { router } from './routes.tsx';
import { onSessionChange } from './session/session.ts';
import { Messages } from './ui/tell.tsx';
import { theme } from './ui/theme.ts';

document.addEventListener('keydown', onKeyDown);
onSessionChange(state => {
  const { location } = router.state;
  if (state === 'none' && ![paths.signIn(), paths.setPassword()].includes(location.pathname))
    void router.navigate(at(paths.signIn(), { to: location.href }));
});

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={cache}>
        <RouterProvider router={router} />
        <Messages />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
