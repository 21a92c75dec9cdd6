import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { enter } from './app/enter.ts';
import { preferences } from './app/preferences.ts';
import './style.css';

preferences.begin();
const root = document.querySelector('#root');
if (root === null) throw new Error('the page has no place for the dashboard');
const entered = await enter();
createRoot(root).render(<App entered={entered} />);
