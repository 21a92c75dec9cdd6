import { useEffect, useState } from 'react';

/** The time, anew every half a minute: what says how long ago something was must not stand still. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
