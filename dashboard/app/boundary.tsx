import { Component, type ReactNode } from 'react';
import { Failure } from '../component/failure.tsx';

interface State {
  readonly error: Error | undefined;
}

/** Catches errors of a screen, so that the rest of the page stays. Only a class component can catch rendering errors. */
export class Boundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <Failure error={error} retry={() => this.setState({ error: undefined })} />;
  }
}
