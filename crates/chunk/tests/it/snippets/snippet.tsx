import React from 'react';

export const C: React.FC<P> = ({ a }) => {
  const [s, set] = useState(0);
  return <><B a={a} onClick={() => set(s + 1)}>text</B></>;
};
