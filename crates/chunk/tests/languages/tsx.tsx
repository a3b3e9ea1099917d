import React, { useState } from 'react';
// <- import react (default as React, useState)

interface Props { title: string }
//        ^ definition.interface (body)
//                ^ definition.field in Props

/** Shows a title. */
export const Title: React.FC<Props> = ({ title }) => {
//           ^ definition.function (doc, body)
// ~ type FC, type Props
  const [open, setOpen] = useState<boolean>(false);
  // ~ call useState
  return <h1 onClick={() => setOpen(!open)}><Icon name="x" />{title}</h1>;
  // ~ call setOpen, call Icon
};

export class Page extends React.Component<Props> {
//           ^ definition.class (body)
// ~ base Component, type Props
  state = { n: 0 };
  // <- definition.field in Page
  render() {
  // <- definition.method in Page (body)
    return <Layout.Main><Title title={this.props.title} /></Layout.Main>;
    // ~ call Main, call Title
  }
}
