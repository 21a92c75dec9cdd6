import { useEffect, useState } from 'react';
import { call } from '../../api/client.ts';
import { useProject } from '../../app/project.tsx';
import { uncoloured } from '../../text/uncoloured.ts';

interface Log {
  readonly lines: readonly string[];
  readonly isOver: boolean;
  readonly error?: Error;
}

const pauseMs = 1000;
const pageLines = 1000;
/** The most lines that the page keeps, the newest ones: a log may be too long for a browser. */
const mostLines = 20_000;

/** Loads the log from the beginning, page by page, then new lines once a second until the agent has ended. */
export function useAgentLog(agentId: string): Log {
  const project = useProject();
  const [log, setLog] = useState<Log>({ lines: [], isOver: false });
  useEffect(() => {
    const stop = new AbortController();
    const read = async (): Promise<void> => {
      let cursor: string | undefined;
      for (;;) {
        const input = { agentId, limit: pageLines, ...(cursor !== undefined && { cursor }) };
        const page = await call(project, 'get_agent_log', input, stop.signal);
        const isOver = page.nextCursor === undefined;
        if (stop.signal.aborted) return;
        if (page.lines.length > 0 || isOver) {
          const fresh = page.lines.map(uncoloured);
          setLog(({ lines }) => ({ lines: [...lines, ...fresh].slice(-mostLines), isOver }));
        }
        if (isOver) return;
        cursor = page.nextCursor;
        if (page.lines.length < pageLines) await new Promise((resolve) => setTimeout(resolve, pauseMs));
        if (stop.signal.aborted) return;
      }
    };
    read().catch((error: unknown) => {
      if (!stop.signal.aborted && error instanceof Error) setLog(({ lines }) => ({ lines, isOver: true, error }));
    });
    return () => stop.abort();
  }, [agentId, project]);
  return log;
}
