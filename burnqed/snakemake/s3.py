"""Talking to S3: a client, and errors that say what to fix and never hold credentials."""

from __future__ import annotations

import os
from typing import Any

from burnqed.files import UserError

ENDPOINT = ("AWS_ENDPOINT_URL", "SNAKEMAKE_STORAGE_S3_ENDPOINT_URL")
REMEDIES = {
    "NoSuchBucket": "make the bucket, or correct its name",
    "AccessDenied": "check the key's rights on the bucket (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY)",
}


def connect(settings: object = None) -> Any:
    """Return a boto3 client from the environment, or from the settings of Snakemake's storage plugin."""
    try:
        import boto3
        from botocore.config import Config
    except ImportError as error:
        raise UserError("S3 needs boto3: pip install 'burnqed[s3]'") from error
    given = {
        "endpoint_url": next((os.environ[name] for name in ENDPOINT if os.environ.get(name)), None),
        "aws_access_key_id": os.environ.get("SNAKEMAKE_STORAGE_S3_ACCESS_KEY"),
        "aws_secret_access_key": os.environ.get("SNAKEMAKE_STORAGE_S3_SECRET_KEY"),
    }
    if settings is not None:
        names = {"endpoint_url": "endpoint_url", "region": "region_name", "access_key": "aws_access_key_id"}
        names |= {"secret_key": "aws_secret_access_key", "token": "aws_session_token"}
        given = {name: getattr(settings, field, None) for field, name in names.items()}
    config = Config(connect_timeout=10, retries={"max_attempts": 3, "mode": "standard"})
    return boto3.client("s3", config=config, **{name: value for name, value in given.items() if value})


def ask(client: Any, url: str, method: str, *args: Any, **kwargs: Any) -> Any:
    """Call the client; KeyError for an absent object, UserError naming ``url`` for everything else it says."""
    from boto3.exceptions import Boto3Error
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        return getattr(client, method)(*args, **kwargs)
    except ClientError as error:
        code = str(error.response.get("Error", {}).get("Code", ""))
        if code == "NoSuchKey":
            raise KeyError(code) from None
        raise UserError(f"{url}: {code or 'refused'}; {REMEDIES.get(code, 'check bucket and credentials')}") from None
    except (BotoCoreError, Boto3Error) as error:
        kind = next((name for name in REMEDIES if name in str(error)), type(error).__name__)
        raise UserError(f"{url}: {kind}; check the bucket, the network, {ENDPOINT[0]} and the credentials") from None


def check_storage(url: str, settings: object = None) -> None:
    """Raise UserError when ``s3://bucket/prefix`` cannot be listed.

    Before anything else happens: Snakemake's plugin would answer with a long traceback, and make a bucket
    whose name is misspelt.
    """
    bucket, _, prefix = url.removeprefix("s3://").partition("/")
    ask(connect(settings), url, "list_objects_v2", Bucket=bucket, Prefix=prefix, MaxKeys=1)
